import type { JsonPath } from '../../base/fault.ts';
import { splitMarkdown } from './rule-markdown.ts';
import type { MarkdownRule } from './rule-markdown.ts';
import { readYaml } from './rule-yaml.ts';
import { NOTHING, parseRule, sourceAt, unreadable } from './parsed-file.ts';
import type { ParsedFile } from './parsed-file.ts';
import { categoryOf, idFrom, pathInRules } from './rule-names.ts';

/** Reads a Markdown file with front matter as one rule; its text is the rule's content, blocks marked `rulebound` add checks. */
export function parseMarkdown(name: string, text: string): ParsedFile {
  const parts = splitMarkdown(text);
  if (parts.blocks.length > MOST_BLOCKS)
    return unreadable(
      name,
      parts.blocks[MOST_BLOCKS]?.line,
      `more than ${MOST_BLOCKS} blocks of rules`,
      'one rule per file: split it',
    );
  if (parts.isFrontOpen)
    return unreadable(name, 1, 'the front matter has no end', 'write --- on a line of its own below its last key');
  const front = readPart(name, parts.front ?? '', parts.frontLine);
  if ('faults' in front) return front;
  const blocks = parts.blocks.map((block) => readPart(name, block.text, block.line));
  const broken = blocks.find((block) => 'faults' in block);
  if (broken !== undefined) return broken;
  const maps = [front, ...(blocks as Part[])];
  const merged = Object.assign({}, ...maps.map(({ map }) => map)) as Record<string, unknown>;
  const value = { ...defaults(name, parts, merged), ...merged };
  const lineOf = (path: JsonPath): number | undefined =>
    maps.map((part) => part.lineOf(path)).find((line) => line !== undefined);
  const parsed = parseRule({ value, name, path: [], lineOf, category: categoryOf(name) });
  const source = sourceAt(name, 1);
  const notes = [
    ...(parts.front === undefined
      ? [{ source, message: 'there is no front matter: title, severity and modality are assumed' }]
      : []),
    ...(merged['severity'] === undefined ? [{ source, message: 'no severity is named: read as warning' }] : []),
  ];
  return {
    ...NOTHING,
    rules: parsed.rule === undefined ? [] : [{ ...parsed.rule, source }],
    faults: parsed.faults,
    notes,
  };
}

const MOST_BLOCKS = 20;

interface Part {
  readonly map: Record<string, unknown>;
  readonly lineOf: (path: JsonPath) => number | undefined;
}

/** A piece of YAML inside a Markdown file, its lines counted from the top of the file. */
function readPart(name: string, text: string, firstLine: number): Part | ParsedFile {
  if (text.trim() === '') return { map: {}, lineOf: () => undefined };
  const read = readYaml(text);
  const shift = (line: number | undefined): number | undefined =>
    line === undefined ? undefined : line + firstLine - 1;
  if (!read.ok) return unreadable(name, shift(read.why.line), read.why.message, read.why.remedy, read.why.path);
  const { value } = read.value;
  const document = read.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unreadable(name, firstLine, 'found no keys', 'write `key: value` lines');
  return { map: value as Record<string, unknown>, lineOf: (path) => shift(document.lineOf(path)) };
}

/** What the file itself says of its rule: its path, its first heading, its prose without code. */
function defaults(
  name: string,
  { heading, body }: MarkdownRule,
  written: Record<string, unknown>,
): Record<string, unknown> {
  const path = pathInRules(name);
  return {
    id: idFrom(path),
    title: heading ?? path.split('/').at(-1),
    severity: 'warning',
    ...(body === '' || 'content' in written ? {} : { content: body.slice(0, 20_000) }),
  };
}
