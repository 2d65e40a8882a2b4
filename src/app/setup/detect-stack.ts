import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { detectNode } from './detect-node.ts';
import { detectPython } from './detect-python.ts';
import { readPlainFile } from '../../project/folders/user-folders.ts';
import type { ProposedGate, Root, Stack, LeftOutGate } from './stack.ts';
import { isOnPath, isProgram, programName } from '../../project/workspace/on-path.ts';

/**
 * Proposes setup, shared folders and gates from the files in a repository's root. `tracked`: the files of the target
 * branch; undefined where it has no commit. `ignored`: the names in the root that git ignores.
 */
export function detectStack(
  folder: string,
  tracked?: readonly string[],
  {
    isHere = () => true,
    ignored = [],
  }: { readonly isHere?: (program: string) => boolean; readonly ignored?: readonly string[] } = {},
): Stack {
  const root = rootOf(folder, tracked, ignored);
  const isTracked = (path: string): boolean =>
    (tracked ?? []).some((one) => one === path || one.startsWith(`${path}/`));
  const found = [detectNode(root), detectPython(root, isHere), ...STACKS.map((stack) => read(stack, root))].filter(
    (stack) => stack !== undefined,
  );
  const hasGates = found.some(({ gates }) => gates.length > 0);
  // A task runner mostly calls what was found already; it is asked when nothing was.
  const stacks = hasGates ? found : [...found, ...RUNNERS.flatMap((runner) => runnerStack(runner, root) ?? [])];
  const names = new Set<string>();
  return {
    names: stacks.flatMap((stack) => stack.names),
    setup: stacks.flatMap(({ setup }) => setup),
    share: stacks.flatMap(({ share }) => share).filter((path) => !isTracked(path)),
    gates: stacks.flatMap(({ gates }) => gates).filter(({ name }) => !names.has(name) && names.add(name)),
    notes: stacks.flatMap(({ notes }) => notes),
  };
}

/** A stack that one file reveals; `check` receives the text of that file and the other names. */
interface Sign {
  readonly name: string;
  readonly file: RegExp;
  readonly setup?: (root: Root) => string | undefined;
  readonly share?: readonly string[];
  readonly gates: (
    root: Root,
  ) => readonly (readonly [name: string, run: string, more?: Pick<ProposedGate, 'calls' | 'results'>])[];
  readonly note?: string | ((root: Root) => string | undefined);
}

/** Go writes to its build cache: a gate gets a folder of its own with links to the shared files. */
const LINK_GO_CACHE = 'cp -Rs "$PWD/.go-cache" .go-build';
/** Cargo reads packages from a home that it cannot write to. */
const CARGO_HOME = 'CARGO_HOME="$PWD/.cargo-home"';

const outside = (folder: string): string =>
  `its packages lie in ~/${folder}, which the cage hides: name that folder in \`cage.read\` of your own configuration`;

const STACKS: readonly Sign[] = [
  {
    name: 'go',
    file: /^go\.mod$/,
    setup: ({ has, tracks }) => {
      if (!tracks('go.sum')) return undefined;
      // A red test on the base is no fault of setup, so the warm-up may fail.
      const warm = `GOCACHE="$PWD/.go-cache" go test -run '^$' ./... || true`;
      return has('vendor') ? warm : `go ${has('go.work') ? 'work' : 'mod'} vendor && { ${warm}; }`;
    },
    share: ['vendor', '.go-cache'],
    gates: ({ tracks }) => {
      const go = tracks('go.sum') ? `${LINK_GO_CACHE}; GOCACHE="$PWD/.go-build" go` : 'go';
      return [
        ['go vet', `${go} vet ./...`, { calls: ['go'] }],
        ['go test', `${go} test -json ./...`, { calls: ['go'] }],
      ];
    },
  },
  {
    name: 'cargo',
    file: /^Cargo\.toml$/,
    setup: ({ tracks }) => (tracks('Cargo.lock') ? `${CARGO_HOME} cargo fetch --locked` : undefined),
    share: ['.cargo-home'],
    gates: ({ text, tracks }) => {
      const cargo = tracks('Cargo.lock') ? `${CARGO_HOME} cargo` : 'cargo';
      const clippy = ['cargo clippy', `${cargo} clippy --offline`, { calls: ['cargo-clippy'] }] as const;
      // nextest writes JUnit XML only where its configuration names a file, below target/nextest/<profile>/.
      const [, profile, file] =
        /^\[profile\.([\w-]+)\.junit\]\s*path\s*=\s*"([\w./-]+)"/m.exec(text('.config/nextest.toml')) ?? [];
      if (profile === undefined || file === undefined) return [clippy, ['cargo test', `${cargo} test --offline`]];
      const run = `${cargo} nextest run --offline${profile === 'default' ? '' : ` --profile ${profile}`}`;
      const results = `target/nextest/${profile}/${file}`;
      return [clippy, ['cargo nextest', run, { calls: ['cargo-nextest'], results }]];
    },
    // A table of packages, also of a target, or members that may have one; without there is nothing to fetch.
    note: ({ tracks, text }) =>
      tracks('Cargo.lock') || !/^\[(?:.*dependencies|workspace)\b/m.test(text('Cargo.toml'))
        ? undefined
        : outside('.cargo/registry'),
  },
  {
    name: 'bundler',
    file: /^Gemfile$/,
    setup: ({ tracks }) =>
      tracks('Gemfile.lock') ? 'BUNDLE_FROZEN=true BUNDLE_PATH=vendor/bundle bundle install' : undefined,
    share: ['vendor/bundle'],
    gates: ({ has }) => {
      const bundle = has('Gemfile.lock') ? 'BUNDLE_PATH=vendor/bundle bundle exec' : 'bundle exec';
      if (has('spec', '.rspec')) return [['rspec', `${bundle} rspec`]];
      return has('Rakefile') ? [['rake test', `${bundle} rake test`]] : [];
    },
  },
  {
    name: 'maven',
    file: /^pom\.xml$/,
    gates: ({ has, text }) => [
      [
        'mvn test',
        `${has('mvnw') ? './mvnw' : 'mvn'} --offline --quiet test`,
        text('pom.xml').includes('<modules>') ? {} : { results: 'target/surefire-reports' },
      ],
    ],
    note: outside('.m2'),
  },
  {
    name: 'gradle',
    file: /^build\.gradle(?:\.kts)?$/,
    gates: ({ has, text }) => [
      [
        'gradle test',
        `${has('gradlew') ? './gradlew' : 'gradle'} --offline test`,
        /^\s*include\b/m.test(text('settings.gradle', 'settings.gradle.kts'))
          ? {}
          : { results: 'build/test-results/test' },
      ],
    ],
    note: outside('.gradle'),
  },
  {
    name: 'composer',
    file: /^composer\.json$/,
    setup: ({ tracks }) => (tracks('composer.lock') ? 'composer install --no-interaction' : undefined),
    share: ['vendor'],
    gates: ({ has, text }) => {
      if (has('phpunit.xml', 'phpunit.xml.dist')) return [['phpunit', 'vendor/bin/phpunit']];
      return /"test"\s*:/.test(text('composer.json')) ? [['composer test', 'composer test']] : [];
    },
  },
];

const RUNNERS = [
  { name: 'make', files: ['GNUmakefile', 'makefile', 'Makefile'] },
  { name: 'just', files: ['justfile', 'Justfile', '.justfile'] },
] as const;

function read({ name, file, setup, share = [], gates, note }: Sign, root: Root): Stack | undefined {
  if (!root.names.some((one) => file.test(one))) return undefined;
  const command = setup?.(root);
  return {
    names: [name],
    setup: command === undefined ? [] : [command],
    share: command === undefined ? share.filter((path) => root.has(path)) : share,
    gates: gates(root).map(([gate, run, more]) => ({ name: gate, run, ...more })),
    notes: [typeof note === 'function' ? note(root) : note].flatMap((text) =>
      text === undefined ? [] : [`${name}: ${text}`],
    ),
  };
}

function runnerStack({ name, files }: (typeof RUNNERS)[number], { text }: Root): Stack | undefined {
  const written = text(...files);
  const targets = ['lint', 'check', 'test'].filter((target) => new RegExp(`^${target}\\s*:(?!=)`, 'm').test(written));
  if (targets.length === 0) return undefined;
  const gates = targets.map((target) => ({ name: `${name} ${target}`, run: `${name} ${target}` }));
  return { names: [name], setup: [], share: [], gates, notes: [] };
}

/** The names in the root of a project. */
export const listRootNames = (folder: string): readonly string[] => readdirSync(folder);

/** Larger files are no manifests. */
const READ_CAP = 1024 * 1024;

function rootOf(folder: string, tracked: readonly string[] | undefined, ignored: readonly string[]): Root {
  const names = listRootNames(folder);
  const known = new Set(names);
  const has = (...wanted: readonly string[]): boolean => wanted.some((name) => known.has(name));
  const isFile = new Set(tracked);
  return {
    names,
    has,
    tracks: (...wanted) => wanted.some((name) => known.has(name) && (tracked === undefined || isFile.has(name))),
    isIgnored: (name) => ignored.includes(name),
    exists: (path) => existsSync(join(folder, path)),
    folders: (pattern) => listFolders(folder, pattern),
    files: (name) => listNames(join(folder, name)).map((one) => `${name}/${one}`),
    text(...wanted) {
      const name = wanted.find((path) => has(path.replace(/\/.*/, '')));
      // Anything but a plain file is empty, so that a pipe or a folder of that name stops nothing.
      const read = readPlainFile(join(folder, name ?? ''), READ_CAP);
      return read.ok ? read.value.toString('utf8').replace(/^\uFEFF/, '') : '';
    },
  };
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `packages/*`, `packages/**` and `tools` name folders; anything else names none. */
function listFolders(root: string, pattern: string): readonly string[] {
  const [, parent = '', star] = /^(?:\.\/)?((?:[\w@.-]+\/)*[\w@.-]+)(\/\*{1,2})?\/?$/.exec(pattern) ?? [];
  if (parent === '' || parent.split('/').includes('..')) return [];
  try {
    const entries = readdirSync(join(root, parent), { withFileTypes: true });
    if (star === undefined) return [parent];
    return entries
      .filter((entry) => entry.isDirectory() && /^(?!node_modules$|__pycache__$)[\w@][\w@.-]*$/.test(entry.name))
      .map(({ name }) => `${parent}/${name}`)
      .toSorted();
  } catch {
    return [];
  }
}

/**
 * Leaves out what cannot run on this machine, with a note: it would halt the line at its first gate. Programs are looked
 * for on PATH and in the project. Packages that a setup installs are believed to bring theirs.
 */
export function checkPrograms(folder: string, stack: Stack, path: string | undefined): Stack {
  const notes: string[] = [];
  const setup = stack.setup.filter((run) => {
    const program = programName(run);
    if (program === undefined || isOnPath(program, path)) return true;
    notes.push(`setup \`${run}\` is left out: ${program} is not installed. Install it and run \`andon init\` again.`);
    return false;
  });
  const share = stack.share.filter((name) => setup.length > 0 || existsSync(join(folder, name)));
  const place: Place = { folder, path, installs: setup.length > 0 ? share : [] };
  const leftOut: LeftOutGate[] = [];
  const gates = stack.gates.filter((gate) => {
    const missing = missingFor(gate, place);
    if (missing !== undefined) leftOut.push({ name: gate.name, run: gate.run, why: `${missing} is not installed` });
    return missing === undefined;
  });
  return { ...stack, setup, share, gates, leftOut, notes: [...stack.notes, ...notes] };
}

interface Place {
  readonly folder: string;
  readonly path: string | undefined;
  /** Shared folders that a setup fills. */
  readonly installs: readonly string[];
}

/** The first missing program of a gate; undefined if it can run as far as visible. */
function missingFor({ run, calls = [] }: ProposedGate, place: Place): string | undefined {
  const [first = ''] = run.replace(/^(?:\w+=(?:'[^']*'|\S*)\s+)+/, '').split(/\s/);
  if (first.includes('/') ? !isInProject(first, place) : !isOnPath(first, place.path)) return first;
  return calls.find((program) => !isOnPath(program, place.path) && !isPackageProgram(program, place));
}

const isInProject = (program: string, { folder, installs }: Place): boolean =>
  isProgram(join(folder, program)) || installs.some((share) => program.startsWith(`${share}/`));

/** A program of a package that is installed, or may be by a setup. */
const isPackageProgram = (program: string, { folder, installs }: Place): boolean =>
  installs.includes('node_modules') || existsSync(join(folder, 'node_modules/.bin', program));
