import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parseJson } from '../../base/json-object.ts';
import type { ProjectTool, ToolFinder } from '../cage.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where one version manager keeps its installations: a folder for each version, with `bin` below it. */
interface Installations {
  readonly manager: string;
  readonly folder: string;
  readonly bin: string;
}

/** Finds the versions of Node.js and Python that files of a repository ask for, where they are installed here. */
export function createToolFinder(home: string, env: Environment): ToolFinder {
  return {
    files: [...new Set(Object.values(SOURCES).flatMap((sources) => sources.map(([file]) => file)))],
    find: (files) =>
      (['node', 'python'] as const).flatMap((name): readonly ProjectTool[] => {
        const wanted = readWanted(name, (file) => Buffer.from(files.get(file) ?? '').toString('utf8'));
        if (wanted === undefined) return [];
        const found = findInstalled(name, wanted.version, home, env);
        return [{ name, ...wanted, ...found }];
      }),
    fits: (installed, wanted) =>
      fitsVersion((/\d+\.\d+\.\d+/.exec(installed)?.[0] ?? '').split('.').map(Number), wanted),
  };
}

type Name = ProjectTool['name'];
type Reader = (text: string, name: Name) => string | undefined;

const readFirstLine: Reader = (text) =>
  text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .find((line) => line !== '');

const readVolta: Reader = (text) => {
  const { volta: pinned } = Object(parseJson(text)) as { volta?: unknown };
  const { node } = Object(pinned) as { node?: unknown };
  return typeof node === 'string' ? node : undefined;
};

/** `node = "22"`, `node = ["22", "20"]` or `node = { version = "22" }` in `[tools]`. */
const readMise: Reader = (text, name) => {
  const section = /^\[tools\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m.exec(text)?.[1] ?? '';
  const names = name === 'node' ? 'node|nodejs' : name;
  const value = new RegExp(`^\\s*"?(?:${names})"?\\s*=\\s*([^\\n]*)`, 'm').exec(section)?.[1] ?? '';
  return (/version\s*=\s*["']([^"']+)["']/.exec(value) ?? /["']([^"']+)["']/.exec(value))?.[1];
};

const readToolVersions: Reader = (text, name) =>
  new RegExp(`^\\s*(?:${name === 'node' ? 'node|nodejs' : name})[ \\t]+(\\S+)`, 'm').exec(text)?.[1];

/** The files that ask for a version, the first one first. */
const SOURCES: Readonly<Record<Name, readonly (readonly [file: string, read: Reader])[]>> = {
  node: [
    ['.nvmrc', readFirstLine],
    ['.node-version', readFirstLine],
    ['package.json', readVolta],
    ['mise.toml', readMise],
    ['.mise.toml', readMise],
    ['.tool-versions', readToolVersions],
  ],
  python: [
    ['.python-version', readFirstLine],
    ['mise.toml', readMise],
    ['.mise.toml', readMise],
    ['.tool-versions', readToolVersions],
  ],
};

/** The version that a file of the repository asks for, and which file. */
function readWanted(name: Name, read: (file: string) => string) {
  for (const [source, reader] of SOURCES[name]) {
    const version = reader(read(source), name)?.trim();
    // `system` is the version on PATH; a long or odd word is no version.
    if (version !== undefined && version !== 'system' && /^[\w.*/+-]{1,40}$/.test(version)) return { version, source };
  }
  return undefined;
}

function listInstallations(name: Name, home: string, env: Environment): readonly Installations[] {
  const resolveRoot = (variable: string, otherwise: string): string =>
    isAbsolute(env[variable] ?? '') ? (env[variable] ?? '') : otherwise;
  const folderBelow = (variable: string, otherwise: string, rest: string): string =>
    join(resolveRoot(variable, join(home, otherwise)), rest);
  const shared = [
    { manager: 'mise', folder: folderBelow('MISE_DATA_DIR', '.local/share/mise', `installs/${name}`), bin: 'bin' },
    {
      manager: 'asdf',
      folder: folderBelow('ASDF_DATA_DIR', '.asdf', `installs/${name === 'node' ? 'nodejs' : name}`),
      bin: 'bin',
    },
  ];
  if (name === 'python')
    return [
      { manager: 'pyenv', folder: folderBelow('PYENV_ROOT', '.pyenv', 'versions'), bin: 'bin' },
      ...shared,
      { manager: 'uv', folder: folderBelow('UV_PYTHON_INSTALL_DIR', '.local/share/uv/python', ''), bin: 'bin' },
    ];
  return [
    { manager: 'nvm', folder: folderBelow('NVM_DIR', '.nvm', 'versions/node'), bin: 'bin' },
    ...[folderBelow('FNM_DIR', '.local/share/fnm', ''), join(home, '.fnm')].map((folder) => ({
      manager: 'fnm',
      folder: join(folder, 'node-versions'),
      bin: 'installation/bin',
    })),
    { manager: 'volta', folder: folderBelow('VOLTA_HOME', '.volta', 'tools/image/node'), bin: 'bin' },
    ...shared,
    { manager: 'nodenv', folder: folderBelow('NODENV_ROOT', '.nodenv', 'versions'), bin: 'bin' },
    { manager: 'n', folder: join(resolveRoot('N_PREFIX', '/usr/local'), 'n/versions/node'), bin: 'bin' },
  ];
}

/** The newest installed version that fits, of the first version manager that has one. */
function findInstalled(
  name: Name,
  version: string,
  home: string,
  env: Environment,
): Pick<ProjectTool, 'folder' | 'installed' | 'manager'> {
  const places = listInstallations(name, home, env);
  for (const { manager, folder, bin } of places) {
    const fitting = listVersions(folder)
      .filter(({ digits }) => fitsVersion(digits, version))
      .map((one) => ({ ...one, bin: join(folder, one.entry, bin) }))
      .filter((one) => existsSync(join(one.bin, name)))
      .toSorted((one, other) => compareDigits(other.digits, one.digits));
    const [newest] = fitting;
    if (newest !== undefined) return { folder: newest.bin, installed: newest.digits.join('.'), manager };
  }
  const manager = places.find(({ folder }) => existsSync(folder))?.manager;
  return manager === undefined ? {} : { manager };
}

interface Version {
  readonly entry: string;
  readonly digits: readonly number[];
}

function listVersions(folder: string): readonly Version[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((entry) => {
    const [, digits] = /^(?:v|cpython-)?(\d+\.\d+\.\d+)(?![\w.])/.exec(entry) ?? [];
    return digits === undefined ? [] : [{ entry, digits: digits.split('.').map(Number) }];
  });
}

const compareDigits = (one: readonly number[], other: readonly number[]): number =>
  one.map((digit, at) => digit - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** Whether a version is what a file asks for: `18`, `v18.20`, `20.x`, `lts/jod`, `lts/*`, `node`. */
export function fitsVersion(digits: readonly number[], wanted: string): boolean {
  const word = wanted.toLowerCase();
  const [major = 0] = digits;
  if (/^(?:node|latest|stable|current|\*)$/.test(word)) return true;
  if (/^(?:lts|lts\/\*|lts-latest)$/.test(word)) return LONG_TERM.includes(major);
  const name = /^lts[/-](\w+)$/.exec(word)?.[1];
  if (name !== undefined) return major === LONG_TERM[LONG_TERM_NAMES.indexOf(name)];
  const parts = word.replace(/^v/, '').split('.');
  if (!parts.every((part) => /^(?:\d+|x|\*)$/.test(part))) return false;
  return parts.every((part, at) => !/^\d/.test(part) || Number(part) === digits[at]);
}

/** Names of the lines of Node.js with long support, and their major versions. */
const LONG_TERM_NAMES = 'argon boron carbon dubnium erbium fermium gallium hydrogen iron jod krypton'.split(' ');
const LONG_TERM = LONG_TERM_NAMES.map((_, at) => 4 + 2 * at);
