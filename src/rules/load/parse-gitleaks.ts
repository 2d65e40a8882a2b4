import { faultsOf } from './rule-faults.ts';
import { gitleaksRuleSchema, readGitleaks } from './rule-toml.ts';
import type { GitleaksRule } from './rule-toml.ts';
import type { RuleFault } from '../../rule-model/rule.ts';
import { NOTHING, parseRule, placedFault, sourceAt, unreadable } from './parsed-file.ts';
import type { ParsedFile, ParsedRule } from './parsed-file.ts';
import { idFrom } from './rule-names.ts';

/** Reads the `[[rules]]` of a gitleaks configuration; what has no counterpart here is named, never dropped in silence. */
export function parseGitleaks(name: string, text: string): ParsedFile {
  const read = readGitleaks(text);
  if (!read.ok)
    return unreadable(
      name,
      read.why.line,
      read.why.isReadable === true ? read.why.message : `not readable as TOML: ${read.why.message}`,
      'a gitleaks file holds `[[rules]]`',
    );
  const rules: ParsedRule[] = [];
  const faults: RuleFault[] = [];
  const notes = read.value.other
    .filter((key) => key !== 'title')
    .map((key) => ({ source: sourceAt(name, undefined), message: `\`${key}\` of the file is not taken` }));
  const lines = linesOfRules(text);
  for (const [at, value] of read.value.rules.entries()) {
    const line = lines[at];
    const shaped = gitleaksRuleSchema.safeParse(value);
    if (!shaped.success) {
      for (const fault of faultsOf(shaped.error, gitleaksRuleSchema, value))
        faults.push(placedFault(fault, sourceAt(name, line), ['rules', at]));
      continue;
    }
    const { id } = shaped.data;
    if (shaped.data.regex === undefined) {
      notes.push({ source: sourceAt(name, line), message: `${id}: without a \`regex\`; not taken` });
      continue;
    }
    const left = leftOut(shaped.data);
    if (left.length > 0) notes.push({ source: sourceAt(name, line), message: `${id}: ${left.join(', ')} not taken` });
    const parsed = parseRule({
      value: converted(shaped.data),
      name,
      path: ['rules', at],
      lineOf: () => line,
      category: 'security',
    });
    if (parsed.rule !== undefined) rules.push(parsed.rule);
    faults.push(...parsed.faults);
  }
  return { ...NOTHING, rules, faults, notes };
}

function converted({ id, description, regex, keywords, tags, ...rest }: GitleaksRule): object {
  const title = (description ?? id).trim().slice(0, 300) || id;
  const kept = Object.fromEntries(
    Object.entries({ entropy: rest.entropy, secret_group: rest.secretGroup }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  return {
    id: idFrom(`gitleaks.${id}`),
    title,
    severity: 'CRITICAL',
    category: 'security',
    tags: ['secrets', ...(tags ?? [])],
    phase: ['IMPLEMENTATION', 'REVIEW'],
    waivable: true,
    match: {
      on: 'added_lines',
      pattern: regex,
      ...(keywords === undefined || keywords.length === 0 ? {} : { keywords: keywords.filter((word) => word !== '') }),
    },
    message: `What looks like a secret: ${title}`,
    metadata: { imported_from: 'gitleaks', ...kept },
  };
}

/** What a gitleaks rule says that has no counterpart. */
function leftOut({ allowlist, allowlists, entropy, path, secretGroup, ...rest }: GitleaksRule): string[] {
  const known = new Set(['id', 'description', 'regex', 'keywords', 'tags']);
  return [
    ...(allowlist === undefined && (allowlists ?? []).length === 0 ? [] : ['allow lists']),
    ...(entropy === undefined ? [] : [`entropy ${entropy}`]),
    ...(path === undefined ? [] : ['path']),
    ...(secretGroup === undefined ? [] : ['secretGroup']),
    ...Object.keys(rest).filter((key) => !known.has(key)),
  ];
}

const linesOfRules = (text: string): number[] =>
  text.split('\n').flatMap((line, at) => (/^\s*\[\[\s*rules\s*\]\]/.test(line) ? [at + 1] : []));
