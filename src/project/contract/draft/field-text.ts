import { formatValue } from '../../../base/fault.ts';
import { failure, success, type Outcome } from '../../../base/outcome.ts';
import { CONTRACT_FIELDS, type FieldValues, type WrittenGate } from '../contract-fields.ts';
import { parseGate } from '../gate.ts';
import { COMPLEXITIES } from '../task-contract-defaults.ts';
import { isTemplateText } from './markdown-sections.ts';

type Field = (typeof CONTRACT_FIELDS)[number];

const toKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

const FIELDS: ReadonlyMap<string, Field> = new Map(
  CONTRACT_FIELDS.flatMap((field) => [field.key, ...(field.aliases?.split(' ') ?? [])].map((name) => [name, field])),
);

/** The field that a name means, in any spelling: `Allowed paths` is `allowed_paths`. */
export const findField = (name: string): Field | undefined => FIELDS.get(toKey(name));

/** Reads the value of a field from the items of a list, or from the one text behind its name; or tells what was expected. */
export const parseFieldValue = ({ kind }: Field, texts: readonly string[]): Outcome<unknown, string> =>
  READERS[kind](texts);

const refuse = (found: unknown, expected: string): Outcome<never, string> =>
  failure(`found ${formatValue(found)}; expected ${expected}`);

/** Paths with commas between them. Text beside a path is refused: it is never a part of the path. */
function readPaths(texts: readonly string[]): Outcome<readonly string[], string> {
  const paths: string[] = [];
  for (const text of texts) {
    const parts = (text.match(/(?:`[^`]*`|[^,])+/g) ?? []).map((part) => part.trim());
    const quoted = parts.flatMap((part) => [...part.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path.trim()));
    const bare = parts.filter((part) => !part.includes('`') && !isTemplateText(part));
    if (quoted.length > 0) {
      // Words beside a path in backticks explain it; what looks like one more path is a fault.
      const mixed = bare.find((part) => /^["']?\S*(?:\/|\.\w)\S*$/.test(part));
      if (mixed !== undefined) return refuse(mixed, 'all paths in backticks, or none');
      paths.push(...quoted);
      continue;
    }
    const long = bare.find((part) => /\s/.test(part) && !/^(["']).*\1$/.test(part));
    if (long !== undefined)
      return refuse(long, 'the path alone, without text behind it (a path with blanks: in backticks)');
    paths.push(...bare.map((part) => part.replace(/^(["'])(.*)\1$/, '$2').trim()));
  }
  return success(paths);
}

/** A gate as a line: `name=command`, `name: command` with the command in backticks, or the command alone in backticks. */
function readGate(line: string): WrittenGate | undefined {
  const [, before = '', code] = /^([^`]*)`([^`]*[^`\s][^`]*)`/.exec(line) ?? [];
  if (code === undefined) return parseGate(line);
  const name = before.replace(/[*_]|\s*[:=–-]\s*$/g, '').trim();
  return { name: name === '' ? code.trim().slice(0, 80) : name, run: code.trim() };
}

/** A reader of one word; undefined of a wrong one. */
const readOne =
  (expected: string, read: (text: string) => unknown) =>
  (texts: readonly string[]): Outcome<unknown, string> => {
    const [text = ''] = texts;
    const value = read(text.replace(/^`([^`]*)`$/, '$1'));
    return value === undefined ? refuse(text, expected) : success(value);
  };

const READERS: Readonly<Record<keyof FieldValues, (texts: readonly string[]) => Outcome<unknown, string>>> = {
  text: readOne('text', (text) => text),
  texts: success,
  path(texts) {
    const read = readPaths(texts);
    if (!read.ok) return read;
    return read.value.length === 1 ? success(read.value[0]) : refuse(read.value, 'only one path');
  },
  paths: readPaths,
  /** `150 lines` is 150; `$2` is 2. */
  number: readOne('a number', (text) => {
    const [, digits] = /^\$?\s*(-?\d+(?:\.\d+)?)\s*(?:lines?|minutes?|tokens?|usd)?$/i.exec(text) ?? [];
    return digits === undefined ? undefined : Number(digits);
  }),
  boolean: readOne('yes or no', (text) => {
    const [word, isYes] = /^(?:(yes|true|allowed)|no|false|none|never)$/i.exec(text) ?? [];
    return word === undefined ? undefined : isYes !== undefined;
  }),
  complexity: readOne(`one of ${COMPLEXITIES.join(', ')}`, (text) =>
    COMPLEXITIES.find((one) => one === text.toLowerCase()),
  ),
  gates(lines) {
    const gates = lines.map(readGate);
    return gates.includes(undefined) ? refuse(lines, 'gates, each name=command') : success(gates);
  },
};
