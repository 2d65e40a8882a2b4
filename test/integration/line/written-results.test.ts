import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readInside } from '../../../src/project/folders/work-files.ts';

let tree = '';
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'andon-results-'));
  onTestFinished(() => rmSync(tree, { recursive: true }));
});

describe('the results that a gate has written', () => {
  test('are the text of a file', () => {
    writeFileSync(join(tree, 'junit.xml'), '<testsuite/>');
    expect(readInside(tree, 'junit.xml')).toEqual(['<testsuite/>']);
  });

  test('are the texts of the XML files in a folder, by their names', () => {
    mkdirSync(join(tree, 'reports'));
    for (const name of ['b.xml', 'a.xml', 'notes.txt']) writeFileSync(join(tree, 'reports', name), name);
    expect(readInside(tree, 'reports')).toEqual(['a.xml', 'b.xml']);
  });

  test('are none where the path is missing, a link, or leads out of the tree', () => {
    writeFileSync(join(tree, 'real.xml'), 'real');
    symlinkSync('real.xml', join(tree, 'link.xml'));
    mkdirSync(join(tree, 'inner/reports'), { recursive: true });
    symlinkSync('../../real.xml', join(tree, 'inner/reports/a.xml'));
    expect(readInside(tree, 'gone.xml')).toEqual([]);
    expect(readInside(tree, 'link.xml')).toEqual([]);
    expect(readInside(join(tree, 'inner'), '../real.xml')).toEqual([]);
    expect(readInside(tree, 'inner/reports')).toEqual([]);
  });
});
