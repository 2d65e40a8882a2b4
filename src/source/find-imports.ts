import type { Node } from 'web-tree-sitter';
import { languageOf } from './languages.ts';
import { parseSource, type SourceTree } from './parse-source.ts';

/** A module that a file imports. */
interface FoundImport {
  readonly module: string;
  /** Character offsets of the whole statement or call. */
  readonly start: number;
  readonly end: number;
}

interface SourceImports {
  readonly imports: readonly FoundImport[];
  /** The grammar could not read all of the text, as of a fragment: an import may be missing. */
  readonly isPartial: boolean;
}

/** Whether imports of this file's language are read. */
export const readsImports = (path: string): boolean => languageOf(path)?.imports !== undefined;

/** The modules that a file imports, in its order; undefined where it cannot be parsed. */
export const findImports = (path: string, text: string): Promise<SourceImports | undefined> =>
  parseSource(path, text, (tree) => ({ imports: listImports(tree), isPartial: tree.root.hasError }));

function listImports(tree: SourceTree): readonly FoundImport[] {
  const { language, match } = tree;
  if (language.imports === undefined) return [];
  const loaders = findLoaders(tree);
  return match(language.imports).flatMap(({ captures }) => {
    const callee = captures.find(({ name }) => name === 'callee')?.node;
    if (callee !== undefined && !loaders.has(bareName(callee))) return [];
    const node = captures.find(({ name }) => name === 'module')?.node;
    const module = node === undefined ? undefined : readConstant(node);
    if (node === undefined || module === undefined) return [];
    const { startIndex: start, endIndex: end } = statementAround(node);
    return namesOf(node, module).map((name) => ({ module: name, start, end }));
  });
}

/** What loads a module when it is called, by the last part of its name. */
const LOADERS: Readonly<Record<string, readonly string[]>> = {
  javascript: ['require', 'require.resolve'],
  typescript: ['require', 'require.resolve'],
  python: ['__import__', 'import_module'],
  ruby: ['require', 'require_relative', 'load'],
};

/** The loaders of a language and the names that this file gives them (`const load = require`). */
function findLoaders({ root, language }: SourceTree): ReadonlySet<string> {
  const loaders = new Set(LOADERS[language.name]);
  const assignments = root.descendantsOfType(['variable_declarator', 'assignment', 'assignment_expression']);
  // Twice, so that an alias of an alias is known.
  for (const node of [...assignments, ...assignments]) {
    const name = node.childForFieldName('name') ?? node.childForFieldName('left');
    const value = node.childForFieldName('value') ?? node.childForFieldName('right');
    if (name?.type !== 'identifier' || value === null) continue;
    const isMade = value.type === 'call_expression' && value.childForFieldName('function')?.text === 'createRequire';
    if (isMade || loaders.has(bareName(value))) loaders.add(name.text);
  }
  return loaders;
}

/** `require` of `(0, require)`, `module.require` and `importlib.import_module`. */
function bareName(node: Node): string {
  if (node.type === 'parenthesized_expression' || node.type === 'sequence_expression')
    return bareName(node.lastNamedChild ?? node);
  if (node.text === 'require.resolve') return node.text;
  const member = node.childForFieldName('property') ?? node.childForFieldName('attribute');
  return member?.text ?? (node.namedChildCount === 0 ? node.text : '');
}

/** The value of a text that is written out: quoted, bare, or parts joined by `+`. Undefined for anything computed. */
function readConstant(node: Node): string | undefined {
  if (node.type === 'binary_expression') {
    const [left, right] = [node.childForFieldName('left'), node.childForFieldName('right')];
    const parts = [left, right].map((part) => (part === null ? undefined : readConstant(part)));
    return node.childForFieldName('operator')?.text === '+' && !parts.includes(undefined) ? parts.join('') : undefined;
  }
  if (/substitution|interpolation/.test(node.namedChildren.map(({ type }) => type).join(' '))) return undefined;
  if (/^["'`<]/.test(node.text)) return node.text.slice(1, -1).replace(/\\(.)/g, '$1');
  return /^[\w.:\\/]+$/.test(node.text) ? node.text : undefined;
}

/** `from os import path` names both `os` and `os.path`. */
function namesOf(node: Node, module: string): readonly string[] {
  const { parent } = node;
  if (parent?.type !== 'import_from_statement') return [module];
  const names = parent.childrenForFieldName('name').map((name) => name.childForFieldName('name') ?? name);
  const prefix = module.endsWith('.') ? module : `${module}.`;
  return [module, ...names.map(({ text }) => `${prefix}${text}`)];
}

/** The nearest statement or call, which a finding quotes. */
function statementAround(node: Node): Node {
  for (let around = node.parent; around !== null; around = around.parent)
    if (/statement|declaration|call|import_spec|directive|include|clause/.test(around.type)) return around;
  return node;
}
