import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOnPath, programName } from '../../../../src/project/workspace/on-path.ts';

/** A PATH of two folders that holds the program `here`, a folder `folder` and a file `plain` that nobody may run. */
function aPath(): string {
  const place = mkdtempSync(join(tmpdir(), 'andon-path-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  for (const name of ['one', 'two', 'two/folder']) mkdirSync(join(place, name));
  writeFileSync(join(place, 'two/here'), '', { mode: 0o755 });
  writeFileSync(join(place, 'two/plain'), '', { mode: 0o644 });
  return ['one', 'two'].map((name) => join(place, name)).join(delimiter);
}

describe('the program of a command', () => {
  it.each([
    ['here test', 'here', true],
    ['gone test', 'gone', false],
    ['A=1 B=/x/y gone test', 'gone', false],
    ['A=1 here test', 'here', true],
    ['folder', 'folder', false],
    ['plain', 'plain', false],
  ])('of `%s` is %s; on PATH: %s', (command, program, isThere) => {
    expect(programName(command)).toBe(program);
    expect(isOnPath(program, aPath())).toBe(isThere);
  });

  it.each(['.venv/bin/python -m pytest', './gradlew test', ''])('of `%s` is none that PATH could hold', (command) => {
    expect(programName(command)).toBeUndefined();
    expect(isOnPath('here', undefined)).toBe(false);
  });
});
