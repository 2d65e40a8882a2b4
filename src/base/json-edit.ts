/** A value inside a JSON text: `from` is its first UTF-16 unit, `to` stands behind its last. */
export interface JsonNode {
  readonly from: number;
  readonly to: number;
  /** What stands in an object or an array, in order; a member of an object begins with its key. */
  readonly children: readonly JsonChild[];
}

/** A member of an object, or an element of an array (then `key` is undefined). */
export interface JsonChild {
  readonly key: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly value: JsonNode;
}

/** Where everything stands in a text that is JSON already; of any other text the answer means nothing. */
export function nodeOf(text: string): JsonNode {
  const tokens = [...text.matchAll(TOKEN)].map(({ 0: said, index }) => ({
    said,
    from: index,
    to: index + said.length,
  }));
  let at = 0;
  const value = (): JsonNode => {
    const first = tokens[at++];
    const from = first?.from ?? text.length;
    if (first?.said !== '{' && first?.said !== '[') return { from, to: first?.to ?? from, children: [] };
    const children: JsonChild[] = [];
    while (at < tokens.length && !isEnd(tokens[at]?.said)) {
      if (tokens[at]?.said === ',') at += 1;
      const begin = tokens[at]?.from ?? from;
      const key = first.said === '{' ? (JSON.parse(tokens[at]?.said ?? '""') as string) : undefined;
      if (key !== undefined) at += 2;
      const inner = value();
      children.push({ key, from: begin, to: inner.to, value: inner });
    }
    return { from, to: tokens[at++]?.to ?? text.length, children };
  };
  return value();
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;
const isEnd = (said: string | undefined): boolean => said === '}' || said === ']';

/** The value at a path of keys and indexes; undefined where there is none. */
export function nodeAt(text: string, path: readonly (string | number)[]): JsonNode | undefined {
  let node: JsonNode | undefined = nodeOf(text);
  for (const step of path)
    node = (typeof step === 'number' ? node?.children[step] : node?.children.find(({ key }) => key === step))?.value;
  return node;
}

/** Adds a last member (`key`) or a last element (no key) to an object or an array, written as the rest of the text is. */
export function withChild(text: string, { from, to, children }: JsonNode, value: unknown, key?: string): string {
  const last = children.at(-1);
  const name = key === undefined ? '' : JSON.stringify(key);
  const isInline = last !== undefined && !text.slice(from, to).includes('\n');
  if (isInline) {
    const space = /[:,] /.test(text.slice(from, to)) ? ' ' : '';
    const said = `${name === '' ? '' : `${name}:${space}`}${JSON.stringify(value)}`;
    return `${text.slice(0, last.to)},${space}${said}${text.slice(last.to)}`;
  }
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, from);
  const inner = last === undefined ? outer + unit : indentAt(text, last.from);
  const body = `${name === '' ? '' : `${name}: `}${JSON.stringify(value, null, unit)}`.replaceAll('\n', line + inner);
  return last === undefined
    ? `${text.slice(0, from + 1)}${line}${inner}${body}${line}${outer}${text.slice(to - 1)}`
    : `${text.slice(0, last.to)},${line}${inner}${body}${text.slice(last.to)}`;
}

/** Takes one member or element away, and the comma that parted it from the others. */
export function withoutChild(text: string, { from, to, children }: JsonNode, index: number): string {
  const [before, child, after] = [children[index - 1], children[index], children[index + 1]];
  if (child === undefined) return text;
  if (before !== undefined) return text.slice(0, before.to) + text.slice(child.to);
  if (after !== undefined) return text.slice(0, child.from) + text.slice(after.from);
  return text.slice(0, from + 1) + text.slice(to - 1);
}

/** Puts another value in the place of one. */
export const withValue = (text: string, { from, to }: JsonNode, value: unknown): string =>
  text.slice(0, from) + JSON.stringify(value) + text.slice(to);

/** The blanks with which the line of a place begins. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
