import type { Root, Stack } from './stack.ts';

/** What a `package.json` proposes: the package manager that its lock file names, its scripts as gates. */
export function nodeStack({ has, text }: Root): Stack | undefined {
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
    gates: GATES.flatMap(([name, ...aliases]) => {
      const script = [name, ...aliases].find((one) => scripts.has(one));
      if (script === undefined) return [];
      return [
        {
          name,
          run: script === 'test' && manager.name !== 'bun' ? `${manager.name} test` : `${manager.name} run ${script}`,
        },
      ];
    }),
    notes: [],
  };
}

/** The scripts that are worth a gate, by the gate's name, with the other names they go by. */
const GATES = [['lint'], ['typecheck', 'type-check', 'check-types', 'types', 'tsc'], ['build'], ['test']] as const;

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
function manifest(text: string): { readonly scripts: ReadonlySet<string>; readonly packageManager: string } {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch {
    written = undefined;
  }
  const { scripts, packageManager } = (Object(written) ?? {}) as { scripts?: unknown; packageManager?: unknown };
  const named = Object.entries(Object(scripts) as Record<string, unknown>).filter(
    ([, command]) => typeof command === 'string' && command.trim() !== '' && !command.includes('no test specified'),
  );
  return {
    scripts: new Set(named.map(([name]) => name)),
    packageManager: typeof packageManager === 'string' ? packageManager : '',
  };
}
