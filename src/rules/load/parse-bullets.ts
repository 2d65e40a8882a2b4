import { splitMarkdown } from './rule-markdown.ts';
import { NOTHING, parseRule, sourceAt } from './parsed-file.ts';
import type { ParsedFile, ParsedRule } from './parsed-file.ts';
import { idFrom } from './rule-names.ts';

/** Reads prose for agents (AGENTS.md, cursor's .mdc, Copilot's instructions): every list item becomes a rule that advises and never blocks. */
export function parseBullets(name: string, text: string): ParsedFile {
  const parts = splitMarkdown(text);
  const file = (name.split('/').at(-1) ?? name).replace(/^\./, '');
  const base = file.replace(/\.[A-Za-z]+$/, '').toLowerCase();
  const globs = globsIn(parts.front ?? '');
  const items = parts.bullets.filter(({ text: item }) => item.split(/\s+/).length >= FEWEST_WORDS);
  const said = items.length > 0 ? items : [{ text: parts.body, line: 1, under: parts.heading ?? base }];
  const rules: ParsedRule[] = [];
  const taken = new Set<string>();
  for (const { text: item, line, under } of said.slice(0, MOST_RULES)) {
    const content = item
      .replaceAll(/(^|\s)\*\*([^*\n]+)\*\*(?=\s|[.,:;!?]|$)/g, '$1$2') // `__init__.py` and globs stay
      .slice(0, 4000)
      .trim();
    if (content === '') continue;
    const title = content.split(/(?<=[.!?])\s|\n/)[0]?.slice(0, 160) ?? content.slice(0, 160);
    const value = {
      id: freeId(idFrom(`${base}.${title.toLowerCase().split(/\s+/).slice(0, 6).join('-')}`), taken),
      title,
      severity: 'LOW',
      modality: 'MAY',
      content,
      ...(globs.length === 0 ? {} : { match: { file_patterns: globs } }),
    };
    const { rule } = parseRule({
      value,
      name,
      path: [],
      lineOf: () => line,
      category: idFrom(under || base).toLowerCase(),
    });
    if (rule !== undefined) rules.push(rule);
  }
  const left = parts.bullets.length - items.length + Math.max(0, said.length - MOST_RULES);
  const notes = [
    {
      source: sourceAt(name, 1),
      message: `prose: ${rules.length} rules that advise (LOW, MAY)${left > 0 ? `; ${left} list items were left out, being too short or too many` : ''}`,
    },
  ];
  return { ...NOTHING, rules, notes };
}

/** Shorter items are headings or names. */
const FEWEST_WORDS = 3;
const MOST_RULES = 500;

function freeId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted.slice(0, 60)}-${number}`;
  taken.add(id);
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
