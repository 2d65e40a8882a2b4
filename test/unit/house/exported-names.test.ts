import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../../src');
const EXPORT = /^export (?:async )?(?:function\*?|class|const|interface|type|enum) +([A-Za-z_$][\w$]*)/gm;

/** The files that export each name; `run` is the entry point of every command. */
function listExports(): ReadonlyMap<string, ReadonlySet<string>> {
  const files = new Map<string, Set<string>>();
  for (const entry of readdirSync(SRC, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(EXPORT))
      if (name !== 'run') files.set(name, (files.get(name) ?? new Set()).add(relative(SRC, path)));
  }
  return files;
}

describe('exported names', () => {
  it('have one meaning: no two files of src export the same one', () => {
    const files = listExports();
    expect(files.size).toBeGreaterThan(1000);
    const shared = [...files]
      .filter(([, paths]) => paths.size > 1)
      .map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
    expect(shared).toEqual([]);
  });
});
