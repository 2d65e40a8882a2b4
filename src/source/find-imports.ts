import type { Node } from 'web-tree-sitter';
import { languageOf } from './languages.ts';
import { parseSource, type SourceTree } from './parse-source.ts';

interface FoundImport {
  readonly module: string;
  /** Character offsets of the whole statement or call. */
  readonly start: number;
  readonly end: number;
}

interface SourceImports {
  readonly imports: readonly FoundImport[];
  /** Loads of a computed module; its name is the expression (`path + '/lodash'`). */
  readonly computed: readonly FoundImport[];
  /** The grammar could not read all of the text, as of a fragment: an import may be missing. */
  readonly isPartial: boolean;
}

export const readsImports = (path: string): boolean => languageOf(path) !== undefined;

/** The modules that a file imports, in its order; undefined where it cannot be parsed. */
export const findImports = (path: string, text: string): Promise<SourceImports | undefined> =>
  parseSource(path, text, (tree) => ({ ...listImports(tree), isPartial: tree.root.hasError }));

function listImports(tree: SourceTree): Pick<SourceImports, 'imports' | 'computed'> {
  const { language, match } = tree;
  const loaders = findLoaders(tree);
  const imports: FoundImport[] = [];
  const computed: FoundImport[] = [];
  for (const { captures } of match(language.imports)) {
    const callee = captures.find(({ name }) => name === 'callee')?.node;
    if (callee !== undefined && !loaders.has(bareName(callee))) continue;
    const node = captures.find(({ name }) => name === 'module')?.node;
    if (node === undefined) continue;
    const names = language.name === 'rust' ? namesOfUse(node) : namesOf(node, readConstant(node));
    const { startIndex: start, endIndex: end } = statementAround(node);
    if (names.length === 0) computed.push({ module: node.text, start, end });
    imports.push(...names.map((module) => ({ module, start, end })));
  }
  return { imports, computed };
}

/** What loads a module when it is called, by the last part of its name. */
const LOADERS: Readonly<Record<string, readonly string[]>> = {
  javascript: ['require', 'require.resolve'],
  typescript: ['require', 'require.resolve'],
  python: ['__import__', 'import_module'],
  ruby: ['require', 'require_relative', 'load'],
  bash: ['source', '.'],
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
  if (/substitution|interpolation|expansion|variable/.test(node.namedChildren.map(({ type }) => type).join(' ')))
    return undefined;
  if (/^["'`<]/.test(node.text)) return node.text.slice(1, -1).replace(/\\(.)/g, '$1');
  const isVariable = node.parent?.type === 'binary_expression';
  return !isVariable && /^[\w.:\\/-]+$/.test(node.text) ? node.text : undefined;
}

/** `from os import path` names both `os` and `os.path`; a module with all that it has ends with `*`. */
function namesOf(node: Node, constant: string | undefined): readonly string[] {
  const { parent } = node;
  if (constant === undefined || parent === null) return [];
  const module = constant.replace(/^\\(?=\w)/, '');
  switch (parent.type) {
    case 'import_from_statement': {
      const prefix = module.endsWith('.') ? module : `${module}.`;
      const names = parent.childrenForFieldName('name').map((name) => (name.childForFieldName('name') ?? name).text);
      const all = parent.namedChildren.some(({ type }) => type === 'wildcard_import') ? ['*'] : [];
      return [module, ...[...names, ...all].map((name) => `${prefix}${name}`)];
    }
    case 'import_declaration':
      return [parent.namedChildren.some(({ type }) => type === 'asterisk') ? `${module}.*` : module];
    case 'namespace_use_clause': {
      const group = parent.parent?.type === 'namespace_use_group' ? parent.parent.parent : null;
      const prefix = group?.namedChildren.find(({ type }) => type === 'namespace_name')?.text;
      return [prefix === undefined ? module : `${prefix}\\${module}`];
    }
    // A shell finds `x.sh` and `./x.sh` in the same folder.
    case 'command':
      return module.startsWith('./') ? [module, module.slice(2)] : [module];
    default:
      return [module];
  }
}

/** `use a::{b, c::*}` names `a::b` and `a::c::*`. */
function namesOfUse(node: Node, above = ''): readonly string[] {
  const path = node.childForFieldName('path')?.text;
  const within = path === undefined ? above : `${above}${path}::`.replace(/^::/, '');
  switch (node.type) {
    case 'use_list':
      return node.namedChildren.flatMap((part) => namesOfUse(part, above));
    case 'scoped_use_list': {
      const list = node.childForFieldName('list');
      return list === null ? [] : namesOfUse(list, within);
    }
    case 'use_wildcard':
      return [`${above}${node.text}`.replace(/^::/, '')];
    case 'use_as_clause':
      return [within.replace(/::$/, '')];
    case 'self':
      return [above.replace(/::$/, '')];
    case 'line_comment':
    case 'block_comment':
      return [];
    default:
      return [`${above}${node.text}`.replace(/^::/, '')];
  }
}

/** The nearest statement or call, which a finding quotes. */
function statementAround(node: Node): Node {
  for (let around = node.parent; around !== null; around = around.parent)
    if (/statement|declaration|call|import_spec|directive|include|require|clause|^command$/.test(around.type))
      return around;
  return node;
}
