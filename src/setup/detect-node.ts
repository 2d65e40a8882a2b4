import { parseJson } from '../base/json-object.ts';
import { programName } from '../wiring/on-path.ts';
import { proposeResults } from './propose-results.ts';
import type { Root, Stack } from './stack.ts';

/** What a `package.json` proposes: the package manager that its lock file names, its scripts as gates. */
export function detectNode({ has, text }: Root): Stack | undefined {
  if (!has('package.json')) return undefined;
  const { scripts, packageManager } = manifest(text('package.json'));
  const named = MANAGERS.find(({ name }) => packageManager.startsWith(`${name}@`));
  const locked = MANAGERS.find(({ locks }) => has(...locks));
  const manager = locked ?? named ?? MANAGERS[0];
  const setup = locked === undefined ? [] : [manager.install(has('.yarnrc.yml'))];
  return {
    names: [manager.name],
    setup,
    share: setup.length > 0 || has('node_modules') ? ['node_modules'] : [],
    gates: gatesOf(scripts).map(([name, script]) => {
      const run =
        script === 'test' && manager.name !== 'bun' ? `${manager.name} test` : `${manager.name} run ${script}`;
      const passesFlags = manager.name === 'npm' ? '--' : '';
      const proposed = name === 'test' ? proposeResults(run, scripts.get(script) ?? '', { passesFlags }) : undefined;
      return { name, run, ...proposed, calls: programsOf(script, scripts) };
    }),
    notes: [],
  };
}

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

const MANAGERS = [
  { name: 'npm', locks: ['package-lock.json', 'npm-shrinkwrap.json'], install: () => 'npm ci' },
  { name: 'pnpm', locks: ['pnpm-lock.yaml'], install: () => 'pnpm install --frozen-lockfile' },
  {
    name: 'yarn',
    locks: ['yarn.lock'],
    install: (isBerry: boolean) => (isBerry ? 'yarn install --immutable' : 'yarn install --frozen-lockfile'),
  },
  { name: 'bun', locks: ['bun.lock', 'bun.lockb'], install: () => 'bun install --frozen-lockfile' },
] as const;

/** npm's own placeholder test is no gate; a manifest that cannot be read has no scripts. */
function manifest(text: string): { readonly scripts: ReadonlyMap<string, string>; readonly packageManager: string } {
  const { scripts, packageManager } = Object(parseJson(text)) as { scripts?: unknown; packageManager?: unknown };
  const named = Object.entries(Object(scripts) as Record<string, unknown>).filter(
    ([, command]) => typeof command === 'string' && command.trim() !== '' && !command.includes('no test specified'),
  );
  return {
    scripts: new Map(named.map(([name, command]) => [name, String(command)])),
    packageManager: typeof packageManager === 'string' ? packageManager : '',
  };
}

/** The programs that a script of a package calls, through other scripts too; as far as its words tell. */
function programsOf(
  script: string,
  scripts: ReadonlyMap<string, string>,
  seen: readonly string[] = [],
): readonly string[] {
  if (seen.includes(script)) return [];
  const parts = (scripts.get(script) ?? '').split(/&&|\|\||[;|&\n]/).map((part) => part.trim());
  const programs = parts.flatMap((part) => {
    const other = /^(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:-s\s+|--silent\s+)?([\w:.-]+)/.exec(part)?.[1];
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
