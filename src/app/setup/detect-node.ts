import { parseJson } from '../../base/json-object.ts';
import { programName } from '../../project/workspace/on-path.ts';
import { proposeResults } from './propose-results.ts';
import { proposeWorkspaceTests, runsWorkspacesOnly } from './workspace-tests.ts';
import { describeUntracked, type ProposedGate, type Root, type Stack } from './stack.ts';

/** What a `package.json` proposes: the package manager that its lock file names, its scripts or those of its workspaces as gates. */
export function detectNode(root: Root): Stack | undefined {
  const { has, text, tracks, exists } = root;
  if (!has('package.json')) return undefined;
  const { scripts, packageManager, workspaces } = readManifest(text('package.json'));
  const named = MANAGERS.find(({ name }) => packageManager.startsWith(`${name}@`));
  const locked = MANAGERS.find(({ locks }) => has(...locks));
  const manager = locked ?? named ?? MANAGERS[0];
  const members = listMembers(root, [...workspaces, ...readPnpmWorkspaces(text('pnpm-workspace.yaml'))]);
  const isBerry = has('.yarnrc.yml');
  const setup = locked !== undefined && tracks(...locked.locks) ? [manager.install(isBerry)] : [];
  const modules = ['node_modules', ...members.map(({ folder }) => `${folder}/node_modules`)];
  // pnpm and newer yarn run no `pretest` by themselves.
  const inTest = listCalledScripts('test', scripts, manager.name !== 'pnpm' && !(manager.name === 'yarn' && isBerry));
  const isAlone = ([name, script]: readonly [string, string]): boolean =>
    name === 'test' || name === 'build' || !inTest.has(script);
  const found = gatesOf(scripts);
  const passesFlags = manager.name === 'npm' ? '--' : '';
  const rootTest = scripts.get('test');
  const inOne = manager.inWorkspace;
  const tests = proposeWorkspaceTests(
    rootTest === undefined || runsWorkspacesOnly(rootTest)
      ? members.flatMap(({ folder, scripts: its }) => {
          const script = its.get('test');
          return script === undefined ? [] : [{ folder, script, run: inOne(folder) }];
        })
      : [],
    { passesFlags, maySplit: !has('turbo.json', 'nx.json') && !scripts.has('pretest') && !scripts.has('posttest') },
  );
  const isSplit = ({ name }: ProposedGate): boolean => name === 'test' && tests.gates.length > 0;
  const own = found.filter(isAlone).map(([name, script]) => {
    const run = script === 'test' && manager.name !== 'bun' ? `${manager.name} test` : `${manager.name} run ${script}`;
    const proposed = name === 'test' ? proposeResults(run, scripts.get(script) ?? '', { passesFlags }) : undefined;
    return { name, run, ...proposed, calls: programsOf(script, scripts) };
  });
  const shared = proposeWorkspaceGates(root, members, manager.inWorkspaces(isBerry)).filter(({ name }) =>
    own.every((gate) => gate.name !== name),
  );
  // pnpm links every package there; the others put what conflicts.
  const share = setup.length > 0 ? modules : modules.filter(exists);
  const [lock] = (locked?.locks ?? []).filter((file) => has(file));
  return {
    names: [manager.name],
    setup,
    share,
    gates: sortGates([...[...own, ...shared].filter((gate) => !isSplit(gate)), ...tests.gates]),
    notes: [
      ...(tests.note === undefined ? [] : [tests.note]),
      ...(lock !== undefined && setup.length === 0
        ? [
            describeUntracked(lock, root, {
              installed: share[0],
              install: { setup: [withoutLock(manager.install(isBerry))], share: modules },
            }),
          ]
        : []),
      ...found
        .filter((gate) => !isAlone(gate))
        .map(([, script]) => `\`${script}\` is no gate of its own: the script \`test\` runs it`),
    ],
  };
}

type Member = ReturnType<typeof listMembers>[number];

const listMembers = ({ folders, text }: Root, patterns: readonly string[]) =>
  [...new Set(patterns.flatMap((pattern) => folders(pattern)))].flatMap((folder) => {
    const manifest = text(`${folder}/package.json`);
    return manifest === '' ? [] : [{ folder, scripts: readManifest(manifest).scripts }];
  });

function readPnpmWorkspaces(text: string): readonly string[] {
  const section = /^packages:[^\n]*\n((?:[ \t]*(?:-[^\n]*|#[^\n]*)?\n?)*)/m.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^[ \t]*-[ \t]*["']?([^"'\s#]+)/gm)].map(([, pattern = '']) => pattern);
}

/** Gates that run a script of every workspace that has it: by turbo or nx where the project uses them, else by the package manager. */
function proposeWorkspaceGates(
  { has, exists }: Root,
  members: readonly Member[],
  inWorkspaces: (script: string, isInAll: boolean) => string | undefined,
): readonly ProposedGate[] {
  const all = new Map(members.flatMap(({ scripts }) => [...scripts]));
  return gatesOf(all).flatMap(([name, script]) => {
    const isInAll = members.every(({ scripts }) => scripts.has(script));
    const runners = [
      ...(has('turbo.json') && exists('node_modules/.bin/turbo')
        ? [`TURBO_TELEMETRY_DISABLED=1 node_modules/.bin/turbo run ${script}`]
        : []),
      ...(has('nx.json') && exists('node_modules/.bin/nx')
        ? [`NX_DAEMON=false node_modules/.bin/nx run-many --target=${script}`]
        : []),
    ];
    const run = runners[0] ?? inWorkspaces(script, isInAll);
    return run === undefined ? [] : [{ name, run }];
  });
}

/** In the order of `GATES`. */
const sortGates = (gates: readonly ProposedGate[]): readonly ProposedGate[] => {
  const order = ['check', ...GATES.map(([name]) => name)];
  const rank = ({ name }: ProposedGate): number => order.indexOf(name.replace(/ .*/, ''));
  return gates.toSorted((one, other) => rank(one) - rank(other));
};

/** The scripts that are worth a gate; a combined check replaces a missing linter or type check. */
function gatesOf(scripts: ReadonlyMap<string, string>): readonly (readonly [name: string, script: string])[] {
  const found = GATES.flatMap(([name, ...aliases]) => {
    const script = [name, ...aliases].find((one) => scripts.has(one));
    return script === undefined ? [] : [[name, script] as const];
  });
  const isChecked = found.some(([name]) => name === 'lint' || name === 'typecheck');
  return [...(isChecked || !scripts.has('check') ? [] : [['check', 'check'] as const]), ...found];
}

/** By the gate's name, with the other names they go by. */
const GATES = [
  ['lint', 'lint:check', 'check:lint', 'eslint', 'biome', 'oxlint'],
  ['typecheck', 'type-check', 'check-types', 'check:types', 'types', 'tsc'],
  ['build'],
  ['test'],
] as const;

interface Manager {
  readonly name: string;
  readonly locks: readonly string[];
  readonly install: (isBerry: boolean) => string;
  /** The command that runs a script in the workspaces that have it; undefined where there is none. */
  readonly inWorkspaces: (isBerry: boolean) => (script: string, isInAll: boolean) => string | undefined;
  /** The command that runs the tests in one workspace, and hands on the flags behind it. */
  readonly inWorkspace: (folder: string) => string;
}

const NPM: Manager = {
  name: 'npm',
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  install: () => 'npm ci',
  inWorkspaces: () => (script) => `npm run ${script} --workspaces --if-present`,
  inWorkspace: (folder) => `npm test --workspace=${folder}`,
};

const MANAGERS: readonly [Manager, ...Manager[]] = [
  NPM,
  {
    name: 'pnpm',
    locks: ['pnpm-lock.yaml'],
    // Its own store is below the home folder, which the cage shows read-only.
    install: () => 'pnpm install --frozen-lockfile --store-dir .pnpm-store',
    inWorkspaces: () => (script) => `pnpm --recursive run ${script}`,
    inWorkspace: (folder) => `pnpm --dir ${folder} test`,
  },
  {
    name: 'yarn',
    locks: ['yarn.lock'],
    install: (isBerry) => (isBerry ? 'yarn install --immutable' : 'yarn install --frozen-lockfile'),
    // The first yarn stops at a workspace without the script.
    inWorkspaces: (isBerry) => (script, isInAll) => {
      if (isBerry) return `yarn workspaces foreach --all run ${script}`;
      return isInAll ? `yarn workspaces run ${script}` : undefined;
    },
    inWorkspace: (folder) => `yarn --cwd ${folder} test`,
  },
  {
    name: 'bun',
    locks: ['bun.lock', 'bun.lockb'],
    install: () => 'bun install --frozen-lockfile',
    inWorkspaces: () => (script) => `bun run --filter '*' ${script}`,
    inWorkspace: (folder) => `bun run --cwd=${folder} test`,
  },
];

/** The same installation, where the lock file is not in the tree. */
const withoutLock = (install: string): string =>
  install.replace(/^npm ci$/, 'npm install').replace(/ --(?:frozen-lockfile|immutable)\b/, '');

/** npm's own placeholder test is no gate; a manifest that cannot be read has no scripts. */
function readManifest(text: string) {
  const { scripts, packageManager, workspaces } = Object(parseJson(text)) as Record<string, unknown>;
  const named = Object.entries(Object(scripts) as Record<string, unknown>).filter(
    ([, command]) => typeof command === 'string' && command.trim() !== '' && !command.includes('no test specified'),
  );
  const patterns = Array.isArray(workspaces) ? workspaces : (Object(workspaces) as { packages?: unknown }).packages;
  return {
    scripts: new Map<string, string>(named.map(([name, command]) => [name, String(command)])),
    packageManager: typeof packageManager === 'string' ? packageManager : '',
    /** Patterns of folders. */
    workspaces: Array.isArray(patterns) ? patterns.map(String) : [],
  };
}

/** A script and those of the same package that run with it; as far as its words tell. */
function listCalledScripts(
  script: string,
  scripts: ReadonlyMap<string, string>,
  runsHooks: boolean,
  seen: Set<string> = new Set(),
): ReadonlySet<string> {
  if (seen.has(script) || !scripts.has(script)) return seen;
  seen.add(script);
  const hooks = runsHooks ? [`pre${script}`, `post${script}`] : [];
  const parts = partsOf(script, scripts).filter((part) => !ELSEWHERE.test(part));
  for (const other of [...hooks, ...parts.flatMap((part) => CALL.exec(part)?.[1] ?? [])])
    listCalledScripts(other, scripts, runsHooks, seen);
  return seen;
}

const CALL = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:-s\s+|--silent\s+)?([\w:.-]+)/;
/** Options that name another package. */
const ELSEWHERE = /\s(?:-w|-C|-r|--(?:workspaces?|prefix|filter|recursive))\b/;

const partsOf = (script: string, scripts: ReadonlyMap<string, string>): readonly string[] =>
  (scripts.get(script) ?? '').split(/&&|\|\||[;|&\n]/).map((part) => part.trim());

/** The programs that a script of a package calls, through other scripts too; as far as its words tell. */
function programsOf(
  script: string,
  scripts: ReadonlyMap<string, string>,
  seen: readonly string[] = [],
): readonly string[] {
  if (seen.includes(script)) return [];
  const programs = partsOf(script, scripts).flatMap((part) => {
    const other = CALL.exec(part)?.[1];
    if (other !== undefined && scripts.has(other)) return programsOf(other, scripts, [...seen, script]);
    const word = programName(part.replace(/^(?:(?:npx|bunx|cross-env)\s+(?:--?[\w-]+\s+)*)+/, ''));
    return word === undefined || SHELL.has(word) ? [] : [word];
  });
  return [...new Set(programs)];
}

/** Words that the shell knows by itself. */
const SHELL: ReadonlySet<string> = new Set(
  'cd echo exit export false for if test true set unset while wait eval exec printf source sh'.split(' '),
);
