import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './imports-of.ts';
import { OPENS_FILES } from './who-opens-files.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FS = new Set(['node:fs', 'node:fs/promises', 'fs', 'fs/promises']);

const sources = ['src', 'bin'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:ts|mjs)$/.test(name)),
);

const opensFiles = (text: string): boolean => importsOf(text).some(({ from, typeOnly }) => FS.has(from) && !typeOnly);

const listed = OPENS_FILES.flatMap(([, who]) => who);

const isListed = (file: string): boolean =>
  listed.some((who) => (who.endsWith('/') ? file.startsWith(who) : file === who));

describe('The files that andon owns', () => {
  const opening = sources.filter((file) => opensFiles(readFileSync(join(ROOT, file), 'utf8')));

  it('are opened by base/system/safe-fs.ts: whoever opens files by itself is named, with the reason', () => {
    expect(opening.filter((file) => !isListed(file))).toEqual([]);
  });

  it('have no guard too many: whoever is named opens files', () => {
    expect(
      listed.filter((who) => !opening.some((file) => (who.endsWith('/') ? file.startsWith(who) : file === who))),
    ).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('would be noticed in new hands, however they are imported', () => {
    expect(opensFiles("import { readFileSync } from 'node:fs';")).toBe(true);
    expect(opensFiles("import {\n  open,\n} from 'node:fs/promises';")).toBe(true);
    expect(opensFiles("const fs = await import('fs');")).toBe(true);
    expect(opensFiles("import type { Stats } from 'node:fs';")).toBe(false);
    expect(isListed('src/daemon/new.ts')).toBe(false);
  });
});
