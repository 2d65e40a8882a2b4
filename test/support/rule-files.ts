import { stringify } from 'yaml';

/** A rule that forbids a text on new lines of TypeScript. */
export const forbids = (id: string, word: string, part: object = {}): object => ({
  id,
  version: '1.0.0',
  title: `No ${word}`,
  severity: 'HIGH',
  category: 'style',
  phase: 'IMPLEMENTATION',
  match: { on: 'added_lines', pattern: `\\b${word}\\b`, keywords: [word], file_patterns: ['*.ts'] },
  message: `${word} must not be used`,
  ...part,
});

/** A file of rules. */
export const ruleFile = (...rules: readonly object[]): string => stringify({ schema: 'andon.rules/v1', rules });

/** Three rules, one of each modality. */
export const THREE_RULES = ruleFile(
  forbids('dynamic-code', 'eval'),
  forbids('open-ends', 'TODO', { severity: 'MEDIUM' }),
  forbids('short-cuts', 'HACK', { severity: 'LOW' }),
);
