import {
  unreadable,
  type RuleDialect,
  type RuleDocument,
  type RuleDraft,
  type RuleFileText,
  idFrom,
} from './dialect.ts';
import { faultAt, sourceAt } from '../../project/config/rule-fault.ts';
import { withoutGaps } from '../../base/without-gaps.ts';
import { readToml } from '../../project/config/read-toml.ts';
import type { RuleNote } from '../model/rule.ts';

export const gitleaks: RuleDialect = {
  matches: (fileName) => /\.toml$/i.test(fileName),
  convert,
};

const MAX_RULES = 2000;
const REMEDY = 'a gitleaks file holds `[[rules]]`';

function convert({ name, text }: RuleFileText): RuleDocument {
  const read = readToml(text);
  const refuse = (message: string, line?: number): RuleDocument => unreadable(name, line, [], message, REMEDY);
  if (!read.ok) return refuse(`not readable as TOML: ${read.why.message}`, read.why.line);
  const { rules, ...other } = read.value;
  if (!Array.isArray(rules))
    return refuse(
      'extend' in other
        ? 'it only extends the rules of gitleaks and brings none; write `extends: [secrets]` in .andon/rules for those that andon brings'
        : 'not readable as TOML: there is no list `[[rules]]`',
    );
  if (rules.length > MAX_RULES) return refuse(`more than ${MAX_RULES} rules`);
  const notes: RuleNote[] = Object.keys(other)
    .filter((key) => key !== 'title')
    .map((key) => ({ source: sourceAt(name, undefined), message: `\`${key}\` of the file is not taken` }));
  const lines = linesOfRules(text);
  const drafts: RuleDraft[] = [];
  const faults = [];
  for (const [at, rule] of rules.entries()) {
    const path = ['rules', at];
    const line = lines[at];
    if (!isTable(rule) || typeof rule['id'] !== 'string') {
      faults.push(faultAt(name, line, [...path, 'id'], 'found no id; expected text', 'add `id`'));
      continue;
    }
    const left = rule['regex'] === undefined ? ['without a `regex`;'] : listIgnoredKeys(rule);
    if (left.length > 0)
      notes.push({ source: sourceAt(name, line), message: `${rule['id']}: ${left.join(', ')} not taken` });
    if (rule['regex'] !== undefined)
      drafts.push({ value: toOwn(rule, rule['id']), path, lineOf: () => line, category: 'security' });
  }
  return { rules: drafts, faults, notes };
}

type Table = Readonly<Record<string, unknown>>;

const isTable = (value: unknown): value is Table => typeof value === 'object' && value !== null;

/** A rule in andon's own keys; the values of a wrong type are kept, and refused when the rule is checked. */
function toOwn({ description, regex, keywords, tags, entropy, secretGroup }: Table, id: string): object {
  const title = (typeof description === 'string' ? description : id).trim().slice(0, 300) || id;
  const words = Array.isArray(keywords) ? keywords.filter((word) => word !== '') : keywords;
  const hasWords = words !== undefined && !(Array.isArray(words) && words.length === 0);
  return {
    id: idFrom(`gitleaks.${id}`),
    title,
    severity: 'CRITICAL',
    category: 'security',
    tags: ['secrets', ...(Array.isArray(tags) ? (tags as unknown[]) : [])],
    phase: ['IMPLEMENTATION', 'REVIEW'],
    waivable: true,
    match: { on: 'added_lines', pattern: regex, ...(hasWords ? { keywords: words } : {}) },
    message: `What looks like a secret: ${title}`,
    metadata: withoutGaps({ imported_from: 'gitleaks', entropy, secret_group: secretGroup }),
  };
}

const TAKEN = ['id', 'description', 'regex', 'keywords', 'tags'];

function listIgnoredKeys({ allowlist, allowlists, ...rest }: Table): string[] {
  const hasAllowList = allowlist !== undefined || (Array.isArray(allowlists) && allowlists.length > 0);
  const keys = Object.keys(rest).filter((key) => !TAKEN.includes(key));
  return [
    ...(hasAllowList ? ['allow lists'] : []),
    ...keys.map((key) => (key === 'entropy' ? `entropy ${String(rest[key])}` : key)),
  ];
}

const linesOfRules = (text: string): number[] =>
  text.split('\n').flatMap((line, at) => (/^\s*\[\[\s*rules\s*\]\]/.test(line) ? [at + 1] : []));
