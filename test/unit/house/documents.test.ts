import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const page = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));

/** Words that a plain sentence does not need. */
const ODD_WORDS =
  /\b(?:whoever|nobody|somebody|anew|so many|(?:is|are) none|stands|lies|held against|looked at|(?:is|are|was) told|(?:is|was) said|as it is|besides)\b/gi;

describe('the documents', () => {
  it('keep the README short', () => {
    expect(page('README.md').split(/\s+/).length).toBeLessThanOrEqual(2500);
  });

  it('explain at most 25 words in a glossary', () => {
    const glossary = page('ARCHITECTURE.md').split('## Glossary')[1]?.split('\n## ')[0] ?? '';
    const entries = glossary.split('\n').filter((line) => /^\| (?!word )\w/.test(line));
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.length).toBeLessThanOrEqual(25);
  });

  it('describe a change that a user sees in one line of the changelog', () => {
    const lines = page('CHANGELOG.md').split('\n');
    expect(lines.filter((line) => line.startsWith('- ')).length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  it('are written in plain words', () => {
    const paths = [
      ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
      ...['docs', 'src', 'scripts', 'contracts', 'shipped', 'stand-ins'].flatMap(pagesIn),
    ];
    const found = paths.flatMap((path) => (page(path).match(ODD_WORDS) ?? []).map((word) => `${path}: ${word}`));
    expect(found.length, found.join('\n')).toBeLessThanOrEqual(20);
  });
});
