import {
  isTooLarge,
  refuseLargeDocument,
  type RuleDialect,
  type RuleDocument,
  type RuleDraft,
  type RuleFileText,
  idFrom,
} from './dialect.ts';
import { sourceAt } from '../../project/config/rule-fault.ts';
import { splitMarkdown } from './markdown-parts.ts';

/** Instructions for agents (AGENTS.md, cursor's .mdc, Copilot's): every list item becomes a rule that advises and never blocks. */
export const agentInstructions: RuleDialect = {
  matches: (fileName) =>
    /\.mdc$|^\.(?:cursor|windsurf)rules$/i.test(fileName) ||
    /^(?:(?:AGENTS|CLAUDE|GEMINI)(?:\.local)?|copilot-instructions|.*\.instructions)\.md$/i.test(fileName),
  convert,
};

/** Shorter items are headings or names. */
const FEWEST_WORDS = 3;
const MAX_RULES = 500;

function convert({ name, text }: RuleFileText): RuleDocument {
  if (isTooLarge(text)) return refuseLargeDocument(name);
  const parts = splitMarkdown(text);
  const file = (name.split('/').at(-1) ?? name).replace(/^\./, '');
  const base = file.replace(/\.[A-Za-z]+$/, '').toLowerCase();
  const globs = globsIn(parts.front ?? '');
  const items = parts.bullets.filter(({ text: item }) => item.split(/\s+/).length >= FEWEST_WORDS);
  const sentences = items.length > 0 ? items : [{ text: parts.body, line: 1, under: parts.heading ?? base }];
  const ids = new Set<string>();
  const rules = sentences.slice(0, MAX_RULES).flatMap(({ text: item, line, under }): RuleDraft[] => {
    const content = item
      .replaceAll(/(^|\s)\*\*([^*\n]+)\*\*(?=\s|[.,:;!?]|$)/g, '$1$2') // `__init__.py` and globs stay
      .slice(0, 4000)
      .trim();
    if (content === '') return [];
    const title = content.split(/(?<=[.!?])\s|\n/)[0]?.slice(0, 160) ?? content.slice(0, 160);
    const value = {
      id: freeId(idFrom(`${base}.${title.toLowerCase().split(/\s+/).slice(0, 6).join('-')}`), ids),
      title,
      severity: 'LOW',
      modality: 'MAY',
      content,
      ...(globs.length === 0 ? {} : { match: { file_patterns: globs } }),
    };
    return [{ value, path: [], lineOf: () => line, category: idFrom(under || base).toLowerCase() }];
  });
  const left = parts.bullets.length - items.length + Math.max(0, sentences.length - MAX_RULES);
  const more = left > 0 ? `; ${left} list items were left out, being too short or too many` : '';
  const message = `prose: ${rules.length} rules that advise (LOW, MAY)${more}`;
  return { rules, faults: [], notes: [{ source: sourceAt(name, 1), message }] };
}

function freeId(wanted: string, ids: Set<string>): string {
  let id = wanted;
  for (let number = 2; ids.has(id); number += 1) id = `${wanted.slice(0, 60)}-${number}`;
  ids.add(id);
  return id;
}

/** cursor writes `globs: *.ts,*.tsx` without quotes, which is no YAML; Copilot calls it `applyTo`. */
function globsIn(front: string): string[] {
  const written = /^(?:globs|applyTo):[ \t]*(.*)$/m.exec(front)?.[1] ?? '';
  return written
    .replaceAll(/[[\]"']/g, '')
    .split(',')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
}
