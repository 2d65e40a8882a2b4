import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { missingPrograms } from '../../../src/floor/missing-programs.ts';

/** A PATH of two folders that holds the program `here`, a folder `folder` and a file `plain` that nobody may run. */
function aPath(): string {
  const place = mkdtempSync(join(tmpdir(), 'andon-path-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  for (const name of ['one', 'two', 'two/folder']) mkdirSync(join(place, name));
  writeFileSync(join(place, 'two/here'), '', { mode: 0o755 });
  writeFileSync(join(place, 'two/plain'), '', { mode: 0o644 });
  return ['one', 'two'].map((name) => join(place, name)).join(delimiter);
}

describe('the programs that are missing', () => {
  it.each([
    ['here test', []],
    ['gone test', ['gone']],
    ['gone', ['gone']],
    ['A=1 B=/x/y gone test', ['gone']],
    ['A=1 here test', []],
    ['folder', ['folder']],
    ['plain', ['plain']],
    ['.venv/bin/python -m pytest', []],
    ['./gradlew test', []],
    ['', []],
  ])('of `%s` are %j', (command, missing) => {
    expect(missingPrograms([command], aPath())).toEqual(missing);
  });

  it('are named once each', () => {
    expect(missingPrograms(['gone a', 'here', 'lost', 'gone b'], aPath())).toEqual(['gone', 'lost']);
    expect(missingPrograms(['here'], undefined)).toEqual(['here']);
  });
});
