import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';

/** The tree of a valid JSON text; meaningless for any other text. */
export const parseJsonTree = (text: string): Node =>
  parseTree(text) ?? { type: 'null', offset: 0, length: text.length };

/** The value at a path of keys and indexes; undefined where it does not exist. */
export const findJsonNode = (text: string, path: readonly (string | number)[]): Node | undefined =>
  findNodeAtLocation(parseJsonTree(text), [...path]);

/** The key of a member of an object; undefined for an element of an array. */
export const getNodeKey = (child: Node): string | undefined =>
  child.type === 'property' ? (child.children?.[0]?.value as string) : undefined;

const endOf = (node: Node): number => node.offset + node.length;

/** Adds a last member (`key`) or a last element (no key) to an object or an array, in the style of the text. */
export function withChild(text: string, node: Node, value: unknown, key?: string): string {
  const [from, to, last] = [node.offset, endOf(node), node.children?.at(-1)];
  const name = key === undefined ? '' : JSON.stringify(key);
  const isInline = last !== undefined && !text.slice(from, to).includes('\n');
  if (isInline) {
    const space = /[:,] /.test(text.slice(from, to)) ? ' ' : '';
    const said = `${name === '' ? '' : `${name}:${space}`}${JSON.stringify(value)}`;
    return `${text.slice(0, endOf(last))},${space}${said}${text.slice(endOf(last))}`;
  }
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const line = text.includes('\r\n') ? '\r\n' : '\n';
  const outer = indentAt(text, from);
  const inner = last === undefined ? outer + unit : indentAt(text, last.offset);
  const body = `${name === '' ? '' : `${name}: `}${JSON.stringify(value, null, unit)}`.replaceAll('\n', line + inner);
  return last === undefined
    ? `${text.slice(0, from + 1)}${line}${inner}${body}${line}${outer}${text.slice(to - 1)}`
    : `${text.slice(0, endOf(last))},${line}${inner}${body}${text.slice(endOf(last))}`;
}

/** Removes a member or element, with its comma. */
export function withoutChild(text: string, node: Node, index: number): string {
  const [before, child, after] = [index - 1, index, index + 1].map((at) => node.children?.[at]);
  if (child === undefined) return text;
  if (before !== undefined) return text.slice(0, endOf(before)) + text.slice(endOf(child));
  if (after !== undefined) return text.slice(0, child.offset) + text.slice(after.offset);
  return text.slice(0, node.offset + 1) + text.slice(endOf(node) - 1);
}

/** Replaces a value. */
export const withValue = (text: string, node: Node, value: unknown): string =>
  text.slice(0, node.offset) + JSON.stringify(value) + text.slice(endOf(node));

/** The indentation of a line. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
