import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'rolldown';
import * as zod from 'zod';

const SOURCES = join(import.meta.dirname, '../src');
/** Packages that a short command often does without: to load them takes longer than its work. */
const PACKAGES = ['zod', 'yaml', 'smol-toml', 'jsonc-parser', 'picomatch'];
/** Modules of Node.js that load many others. */
const BUILTINS = ['child_process', 'crypto', 'fs/promises', 'net', 'sqlite', 'timers/promises', 'v8'].map(
  (name) => `node:${name}`,
);
/** Its other form cannot be bundled. */
const ALIASES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
const LATER = '\0later';

export const MINIFIED = { compress: true, mangle: false, codegen: { removeWhitespace: true } };

/** Modules of Node.js that it has loaded itself when a command begins. */
const LOADED = ['fs', 'path', 'os', 'url', 'util', 'process'].map((name) => `node:${name}`);
const CHEAP = [LATER, ...[...PACKAGES, ...BUILTINS, ...LOADED].map((name) => `\0${name}`)];

/** Whether a module of the bundle loads nothing before it is used, or only what is loaded already. */
export const isCheap = (module: string): boolean => CHEAP.includes(module);

/**
 * Loads some packages and some modules of Node.js at the first use of what is imported from them. Each imported function,
 * class or namespace becomes a proxy of itself. Other modules of Node.js are taken as they are: a plain `import` reads
 * every property of theirs, also those that load further modules (all streams, a terminal, web cryptography). Of `process`
 * only commander's import is meant: who else names it wants all of it.
 */
export const loadWhenUsed: Plugin = {
  name: 'load-when-used',
  resolveId(id, importer, { kind }) {
    if (id === LATER) return { id, moduleSideEffects: false };
    if (PACKAGES.includes(id) && importer?.startsWith(SOURCES) === true)
      return { id: `\0${id}`, moduleSideEffects: false };
    if (!isBuiltin(id)) return null;
    const isProcess = id === 'node:process' && importer?.includes('/commander/') !== true;
    if (isProcess || kind !== 'import-statement' || id === 'node:module') return { id, external: true };
    return { id: `\0${id}`, moduleSideEffects: false };
  },
  load(id) {
    if (id === LATER) return PROXY;
    const name = id.slice(1);
    if (!id.startsWith('\0')) return null;
    if (PACKAGES.includes(name)) return packageSource(name);
    return isBuiltin(name) ? builtinSource(name) : null;
  },
  async generateBundle() {
    for (const name of PACKAGES)
      this.emitFile({ type: 'asset', fileName: fileOf(name), source: await buildPackage(name) });
  },
};

/** A package as one file, with what is imported of it. */
async function buildPackage(name: string): Promise<string> {
  const entry: Plugin = {
    name: 'entry',
    resolveId: (id, importer) => (importer === undefined ? `\0${id}` : null),
    load: (id) => (id === `\0${name}` ? entrySource(name) : null),
  };
  const { output } = await build({
    input: name,
    platform: 'node',
    write: false,
    plugins: [entry],
    resolve: { alias: ALIASES },
    output: {
      format: 'cjs',
      exports: 'named',
      minify: MINIFIED,
      comments: { legal: true, annotation: false, jsdoc: false },
      codeSplitting: false,
    },
  });
  return output[0].code;
}

const PROXY = `
export const later = (load) =>
  new Proxy(function () {}, {
    apply: (_, self, words) => Reflect.apply(load(), self, words),
    construct: (_, words, made) => Reflect.construct(load(), words, made),
    get: (_, key) => Reflect.get(load(), key),
    has: (_, key) => Reflect.has(load(), key),
  });
`;

function builtinSource(name: string): string {
  const properties = Object.entries(process.getBuiltinModule(name) ?? {}) as readonly [string, unknown][];
  const isLate = BUILTINS.includes(name);
  const lines = properties
    .filter(([key]) => /^\w+$/.test(key) && key !== 'default' && name !== 'node:process')
    .map(([key, value]) =>
      isLate && typeof value === 'function'
        ? `export const ${key} = /* @__PURE__ */ later(() => whole().${key});`
        : `export const ${key} = /* @__PURE__ */ (() => whole().${key})();`,
    );
  return [
    `import { later } from '${LATER}';`,
    `const whole = () => process.getBuiltinModule('${name}');`,
    isLate ? 'export default /* @__PURE__ */ later(whole);' : 'export default /* @__PURE__ */ whole();',
    ...lines,
  ].join('\n');
}

/** What the modules of andon import of a package, each loaded with the package at its first use. */
function packageSource(name: string): string {
  const lines = importedNames(name).map(
    (key) => `export ${key === 'default' ? 'default' : `const ${key} =`} /* @__PURE__ */ later(() => whole().${key});`,
  );
  return [
    `import { later } from '${LATER}';`,
    `let loaded;`,
    `const whole = () => (loaded ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('../${fileOf(name)}'));`,
    ...lines,
  ].join('\n');
}

/** The package itself: of zod's namespace only what is used, or all its languages would come along. */
function entrySource(name: string): string {
  const names = importedNames(name);
  if (name !== 'zod') return `export { ${names.join(', ')} } from '${name}';`;
  const named = sourcesWith(name).flatMap((text) => [...text.matchAll(/\bz\s*\.(\w+)/g)].map(([, key = '']) => key));
  // Most of the others are types; `core` is used for its types alone.
  const used = [...new Set(named)].filter((key) => key in zod && key !== 'core');
  return `import * as whole from 'zod';\nexport const z = { ${used.map((key) => `${key}: whole.${key}`).join(', ')} };`;
}

function importedNames(name: string): readonly string[] {
  const found = sourcesWith(name).flatMap((text) =>
    [...text.matchAll(importsOf(name))].flatMap(([, byName, whole]) =>
      whole === undefined
        ? (byName ?? '')
            .split(',')
            .map((each) => each.trim())
            .filter((each) => each !== '' && !each.startsWith('type '))
        : ['default'],
    ),
  );
  return [...new Set(found)].toSorted();
}

const importsOf = (name: string): RegExp =>
  new RegExp(String.raw`^import (?:\{([^}]*)\}|(\w+)) from '${name}';$`, 'gm');

const sourcesWith = (name: string): readonly string[] =>
  allSources().filter((text) => text.includes(` from '${name}';`));

let sources: readonly string[] | undefined;
function allSources(): readonly string[] {
  sources ??= readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'));
  return sources;
}

const fileOf = (name: string): string => `packages/${name}.cjs`;
