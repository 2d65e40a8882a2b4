import { isObject } from '../../base/json-object.ts';
import type { JsonPath } from '../../base/fault.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { readYaml } from '../../base/strict-yaml.ts';
import {
  isTooLarge,
  refuseLargeDocument,
  unreadable,
  type RuleDialect,
  type RuleDocument,
  type RuleFileText,
  categoryOf,
  idFrom,
  pathInRules,
} from './dialect.ts';
import { sourceAt } from '../../project/config/rule-fault.ts';
import { splitMarkdown, type MarkdownParts } from './markdown-parts.ts';

/** rulebound's Markdown: front matter with one rule, its text as the content, and checks in blocks marked `rulebound`. */
export const ruleboundMarkdown: RuleDialect = {
  matches: (fileName) => /\.md$/i.test(fileName) && !/^README\.md$/i.test(fileName),
  convert,
};

const MAX_BLOCKS = 20;

function convert({ name, text }: RuleFileText): RuleDocument {
  if (isTooLarge(text)) return refuseLargeDocument(name);
  const parts = splitMarkdown(text);
  const excess = parts.blocks[MAX_BLOCKS];
  if (excess !== undefined)
    return unreadable(name, excess.line, [], `more than ${MAX_BLOCKS} blocks of rules`, 'one rule per file: split it');
  if (parts.isFrontOpen)
    return unreadable(name, 1, [], 'the front matter has no end', 'write --- on a line of its own below its last key');
  const blocks = [{ text: parts.front ?? '', line: 2 }, ...parts.blocks];
  const maps: YamlPart[] = [];
  for (const block of blocks) {
    const part = readPart(name, block.text, block.line);
    if (!part.ok) return part.why;
    maps.push(part.value);
  }
  const written = Object.assign({}, ...maps.map(({ map }) => map)) as Record<string, unknown>;
  const lineOf = (path: JsonPath): number | undefined =>
    path.length === 0 ? 1 : maps.map((part) => part.lineOf(path)).find((line) => line !== undefined);
  const source = sourceAt(name, 1);
  return {
    rules: [
      { value: { ...defaultsOf(name, parts, written), ...written }, path: [], lineOf, category: categoryOf(name) },
    ],
    faults: [],
    notes: [
      ...(parts.front === undefined
        ? [{ source, message: 'there is no front matter: title, severity and modality are assumed' }]
        : []),
      ...(written['severity'] === undefined ? [{ source, message: 'no severity is named: read as warning' }] : []),
    ],
  };
}

interface YamlPart {
  readonly map: Readonly<Record<string, unknown>>;
  readonly lineOf: (path: JsonPath) => number | undefined;
}

/** A piece of YAML inside a Markdown file, its lines counted from the top of the file. */
function readPart(name: string, text: string, firstLine: number): Outcome<YamlPart, RuleDocument> {
  if (text.trim() === '') return success({ map: {}, lineOf: () => undefined });
  const read = readYaml(text);
  const shift = (line: number | undefined): number | undefined =>
    line === undefined ? undefined : line + firstLine - 1;
  if (!read.ok) {
    const { line, path, message, remedy } = read.why;
    return failure(unreadable(name, shift(line), path, message, remedy));
  }
  const document = read.value;
  const { value } = document;
  if (!isObject(value)) return failure(unreadable(name, firstLine, [], 'found no keys', 'write `key: value` lines'));
  return success({ map: value, lineOf: (path) => shift(document.lineOf(path)) });
}

/** The id, title, severity and content of a file whose front matter does not name them. */
function defaultsOf(
  name: string,
  { heading, body }: MarkdownParts,
  written: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const path = pathInRules(name);
  return {
    id: idFrom(path),
    title: heading ?? path.split('/').at(-1),
    severity: 'warning',
    ...(body === '' || 'content' in written ? {} : { content: body.slice(0, 20_000) }),
  };
}
