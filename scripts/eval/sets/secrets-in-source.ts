import { readFileSync, readdirSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { findLineNumber } from '../../../src/base/find-line-number.ts';
import { findSecrets } from '../../../src/rules/secrets/find-secrets.ts';
import { findLookAlikes } from '../../../src/rules/secrets/find-look-alikes.ts';
import type { DataSet } from '../data-set.ts';

/** Published source text, in which nearly every alarm is a false one; `ANDON_SOURCES` names other folders, parted by colons. */
export const SECRETS_IN_SOURCE: DataSet = {
  name: 'secrets-in-source',
  made: true,
  measure: () => {
    const named = process.env['ANDON_SOURCES'] ?? '';
    const folders = named === '' ? [join(import.meta.dirname, '../../../node_modules')] : named.split(':');
    const seen = new Set<string>();
    const misses: string[] = [];
    let lines = 0;
    for (const path of folders.flatMap((folder) => [...filesBelow(resolve(folder))])) {
      const text = readFileSync(path, 'utf8');
      if (text.length > LARGEST || text.slice(0, 8000).includes('\0') || seen.has(text)) continue;
      seen.add(text);
      lines += findLineNumber(text, text.length);
      for (const { start, what } of [...findSecrets(path, text), ...findLookAlikes(text, path)])
        misses.push(`${path}:${findLineNumber(text, start)}: ${what}`);
    }
    return {
      rows: seen.size,
      figures: [
        { name: 'alarms', value: misses.length },
        {
          name: 'alarms in a million lines',
          value: (misses.length / Math.max(1, lines)) * 1_000_000,
          goal: { must: 'at most', limit: 100 },
        },
      ],
      misses,
    };
  },
};

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* filesBelow(path);
    else if (entry.isFile() && TEXTS.has(extname(entry.name).toLowerCase())) yield path;
  }
}

const LARGEST = 600_000;
const TEXTS: ReadonlySet<string> = new Set(
  '.c .cjs .conf .css .cts .go .h .html .java .js .json .jsx .lock .md .mdx .mjs .mts .pem .pl .pm .po .py .rb .rs .sh .toml .ts .tsx .txt .xml .yaml .yml'.split(
    ' ',
  ),
);
