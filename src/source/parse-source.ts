import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { Node, Language as Grammar, Query, QueryMatch } from 'web-tree-sitter';
import { LANGUAGES, languageOf, type Language } from './languages.ts';
import { readCpuTime } from '../base/system/cpu-time.ts';
import { getErrorMessage } from '../base/get-error-message.ts';

/** Larger files are generated or data; parsing them would stop the process for seconds. */
const MOST_CHARACTERS = 1_000_000;
/** CPU time: a healthy file of the largest size takes less than a second; recovery from hostile text may take minutes. */
const MOST_MS = 3000;

/** A parsed file. Valid only while the callback of `parseSource` runs. */
export interface SourceTree {
  readonly root: Node;
  readonly language: Language;
  /** The matches of a query, in their order. Throws when the grammar refuses the query. */
  readonly match: (query: string) => readonly QueryMatch[];
}

/**
 * Parses a file and passes its tree to `read`. Undefined where the language has no grammar, or the file is too large or
 * takes too long: the caller then treats it as text.
 */
export async function parseSource<T>(
  path: string,
  text: string,
  read: (tree: SourceTree) => T,
  mostMs = MOST_MS,
): Promise<T | undefined> {
  const language = languageOf(path);
  if (language === undefined || text.length > MOST_CHARACTERS) return undefined;
  const { Parser } = await loadEngine();
  const grammar = await loadGrammar(language.grammar);
  const parser = new Parser();
  let deadline = readCpuTime() + mostMs;
  const progressCallback = (): boolean => readCpuTime() > deadline;
  try {
    parser.setLanguage(grammar.language);
    const tree = parser.parse(language.isMarkup === true ? blankMarkup(text) : text, undefined, { progressCallback });
    if (tree === null) return undefined;
    try {
      const { rootNode: root } = tree;
      const match = (query: string): readonly QueryMatch[] => {
        const began = readCpuTime();
        const compiled = grammar.query(query);
        deadline += readCpuTime() - began; // once for each language, and no fault of the text
        return compiled.matches(root, { progressCallback });
      };
      const found = read({ root, language, match });
      // A query that ran out of time returns the matches so far.
      return progressCallback() ? undefined : found;
    } finally {
      tree.delete();
    }
  } finally {
    parser.delete();
  }
}

/** Replaces everything outside of `<script>` blocks by spaces, so that offsets stay. A fragment may have no such tag. */
function blankMarkup(text: string): string {
  const tag = /<script\b[^>]{0,500}>|<\/script\s*>/gi;
  const tags = [...text.matchAll(tag)];
  if (tags.length === 0) return text;
  let code = '';
  let isCode = false;
  for (const { 0: written, index } of [...tags, { 0: '', index: text.length }]) {
    const between = text.slice(code.length, index);
    code += isCode ? between : blank(between);
    code += blank(written);
    isCode = written !== '' && !written.startsWith('</');
  }
  return code;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Node types that a grammar does not have. */
export async function findUnknownTypes(grammar: string, types: readonly string[]): Promise<readonly string[]> {
  const { language } = await loadGrammar(grammar);
  return types.filter((type) => !language.types.includes(type));
}

/** Why a grammar of a language refuses a query; undefined where each takes it. */
export async function findQueryFault(language: string, query: string): Promise<string | undefined> {
  const own = LANGUAGES.filter(({ name }) => name === language).map(({ grammar }) => grammar);
  for (const name of new Set(own)) {
    const grammar = await loadGrammar(name);
    try {
      grammar.query(query);
    } catch (error) {
      return getErrorMessage(error);
    }
  }
  return undefined;
}

interface LoadedGrammar {
  readonly language: Grammar;
  query(source: string): Query;
}

let engine: Promise<typeof import('web-tree-sitter')> | undefined;
const grammars = new Map<string, Promise<LoadedGrammar>>();

/** WebAssembly and grammars are loaded when the first file of a language is met. */
function loadEngine(): Promise<typeof import('web-tree-sitter')> {
  engine ??= import('web-tree-sitter').then(async (loaded) => {
    await loaded.Parser.init({ wasmBinary: readAsset('web-tree-sitter', 'web-tree-sitter.wasm') });
    return loaded;
  });
  return engine;
}

function loadGrammar(name: string): Promise<LoadedGrammar> {
  const known = grammars.get(name);
  if (known !== undefined) return known;
  const loading = openGrammar(name);
  grammars.set(name, loading);
  return loading;
}

async function openGrammar(name: string): Promise<LoadedGrammar> {
  const { Language, Query } = await loadEngine();
  const language = await Language.load(readAsset('@vscode/tree-sitter-wasm', `wasm/tree-sitter-${name}.wasm`));
  const queries = new Map<string, Query>();
  return {
    language,
    query(source) {
      const compiled = queries.get(source) ?? new Query(language, source);
      queries.set(source, compiled);
      return compiled;
    },
  };
}

/** The package has the files compressed in `grammars/` beside the bundle; a clone has them in `node_modules/`. */
function readAsset(packageName: string, file: string): Uint8Array<ArrayBuffer> {
  const own = dirname(fileURLToPath(import.meta.url));
  const name = `${file.slice(file.lastIndexOf('/') + 1)}.br`;
  const built = [join(own, 'grammars', name), join(own, '..', 'grammars', name)].find((path) => existsSync(path));
  if (built !== undefined) return new Uint8Array(brotliDecompressSync(readFileSync(built)));
  const { resolve } = createRequire(import.meta.url);
  return new Uint8Array(readFileSync(resolve(`${packageName}/${file}`)));
}

/** A place in a text: character offsets. */
interface SyntaxMatch {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a tree-sitter query matches: the node captured as `@match`, else the first captured node. Undefined where the
 * file cannot be parsed. Throws when the grammar refuses the query.
 */
export const findSyntax = (path: string, text: string, query: string): Promise<readonly SyntaxMatch[] | undefined> =>
  parseSource(path, text, ({ match }) =>
    match(query).flatMap(({ captures }) => {
      const node = (captures.find(({ name }) => name === 'match') ?? captures[0])?.node;
      return node === undefined ? [] : [{ start: node.startIndex, end: node.endIndex }];
    }),
  );
