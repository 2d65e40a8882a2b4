import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type BuildOptions, type ChunkingContext, type OutputOptions, type Plugin } from 'rolldown';
import { MINIFIED, isCheap, loadWhenUsed } from './scripts/load-when-used.ts';
import { LANGUAGES } from './src/source/languages.ts';

const at = (path: string): string => join(import.meta.dirname, 'src', path);
const [MAIN, STATUS, CHECK] = [at('main.ts'), at('app/cli/commands/status.ts'), at('app/cli/commands/check.ts')];

/** Which file of the bundle a module lies in; those that are loaded anyway lie together, because to find, read and link fifty files takes as long as Node.js itself takes to start. */
function together(module: string, context: ChunkingContext): string | null {
  const isLoadedWith = (entry: string): boolean =>
    loadedWith(entry, (id) => context.getModuleInfo(id)?.importedIds ?? []).has(module);
  if (isCheap(module)) return 'main';
  if (isLoadedWith(MAIN)) return module === MAIN ? null : 'main'; // others would wait for what it waits for
  if (isLoadedWith(STATUS)) return isLoadedWith(CHECK) ? 'base' : 'line';
  return isLoadedWith(CHECK) ? 'rules' : null;
}

const known = new Map<string, ReadonlySet<string>>();

/** A module and everything that it imports, and that imports; what is imported later is not among it. */
function loadedWith(entry: string, importsOf: (id: string) => readonly string[]): ReadonlySet<string> {
  const found = known.get(entry) ?? new Set([entry]);
  if (!known.has(entry))
    for (const id of found) for (const imported of importsOf(id)) (found as Set<string>).add(imported);
  known.set(entry, found);
  return found;
}

const PAGE = at('page');

/** The page of the board is built along, as files of its own beside the command: it runs in a browser, in one piece. */
const pageOfBoard: Plugin = {
  name: 'page-of-board',
  async generateBundle() {
    const { output: chunks } = await build({
      input: { app: join(PAGE, 'main.tsx') },
      platform: 'browser',
      write: false,
      tsconfig: join(PAGE, 'tsconfig.json'),
      output: {
        format: 'esm',
        minify: true,
        comments: { legal: true, annotation: false, jsdoc: false },
        codeSplitting: false,
      },
    });
    for (const chunk of chunks)
      if (chunk.type === 'chunk') this.emitFile({ type: 'asset', fileName: 'page/app.js', source: chunk.code });
    for (const name of readdirSync(join(PAGE, 'static'))) {
      const source = readFileSync(join(PAGE, 'static', name), 'utf8');
      const style = (): string =>
        (source + readFileSync(at('app/views/views.css'), 'utf8')).replaceAll(/\s*\n\s*/g, '\n');
      this.emitFile({ type: 'asset', fileName: `page/${name}`, source: name === 'app.css' ? style() : source });
    }
  },
};

/** The grammars of `src/source/`, compressed: they are a tenth of their size at quality 9, which takes seconds. */
const grammars = (quality: number): Plugin => ({
  name: 'grammars',
  generateBundle() {
    const packages = join(import.meta.dirname, 'node_modules');
    const files = [...new Set(LANGUAGES.map(({ grammar }) => grammar))].map(
      (grammar) => `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`,
    );
    for (const file of [...files, 'web-tree-sitter/web-tree-sitter.wasm'])
      this.emitFile({
        type: 'asset',
        fileName: `grammars/${basename(file)}.br`,
        source: brotliCompressSync(readFileSync(join(packages, file)), {
          params: { [constants.BROTLI_PARAM_QUALITY]: quality },
        }),
      });
  },
});

const output: OutputOptions = {
  dir: 'dist',
  minify: MINIFIED,
  format: 'esm',
  chunkFileNames: 'chunks/[name]-[hash].js',
  cleanDir: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: together, debugName: 'together' }] },
};

/**
 * One entry, one chunk per command: what a command does not need is not loaded. Packages are bundled, because looking
 * for their many files takes a third of a short command's time; only what you may install for `--llm` stays outside.
 */
export const configOf = (grammarQuality: number): BuildOptions & { readonly output: OutputOptions } => ({
  preserveEntrySignatures: false,
  input: { main: 'src/main.ts' },
  platform: 'node',
  plugins: [loadWhenUsed, pageOfBoard, grammars(grammarQuality)],
  external: ['ai', /^@ai-sdk\//, 'react-devtools-core'],
  transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  checks: { eval: false }, // web-tree-sitter keeps one for debugging builds
  output,
});

export default configOf(9);
