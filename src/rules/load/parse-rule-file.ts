import { MAX_RULE_FILE_BYTES } from './rule-yaml.ts';
import { parseBullets } from './parse-bullets.ts';
import { parseGitleaks } from './parse-gitleaks.ts';
import { parseMarkdown } from './parse-markdown.ts';
import { unreadable } from './parsed-file.ts';
import type { ParsedFile, RuleFileText } from './parsed-file.ts';
import { parseYaml } from './parse-yaml.ts';

/** How a file spells its rules. */
export const SPELLINGS = ['yaml', 'markdown', 'gitleaks', 'prose'] as const;
export type Spelling = (typeof SPELLINGS)[number];

/** How a file is read, by its name; undefined for files that hold no rules. */
export function spellingOf(name: string): Spelling | undefined {
  const file = name.split('/').at(-1) ?? name;
  if (/\.(?:ya?ml|json)$/i.test(file)) return 'yaml';
  if (/\.toml$/i.test(file)) return 'gitleaks';
  if (
    /\.mdc$|^\.(?:cursor|windsurf)rules$/i.test(file) ||
    /^(?:(?:AGENTS|CLAUDE|GEMINI)(?:\.local)?|copilot-instructions|.*\.instructions)\.md$/i.test(file)
  )
    return 'prose';
  if (/\.md$/i.test(file)) return /^README\.md$/i.test(file) ? undefined : 'markdown';
  return undefined;
}

/** Reads one file in the spelling its name says, or the one that is asked for. */
export function parseRuleFile(
  { name, text }: RuleFileText,
  as: Spelling = spellingOf(name) ?? 'yaml',
  maxBytes: number = MAX_RULE_FILE_BYTES,
): ParsedFile {
  if (as === 'yaml') return parseYaml(name, text, maxBytes);
  if (as === 'gitleaks') return parseGitleaks(name, text);
  if (text.length > maxBytes) return unreadable(name, undefined, `more than ${maxBytes / 1024} kB`, 'split the file');
  return as === 'markdown' ? parseMarkdown(name, text) : parseBullets(name, text);
}
