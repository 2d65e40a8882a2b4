import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  baseOf,
  changedOf,
  gatesOf,
  mixedOf,
  programsOf,
  writeTree,
  type LabelledChange,
  type Tree,
} from './labelled-changes.ts';

const PACKAGES = join(import.meta.dirname, '../../node_modules/.bin');

/** How to ask for what is no program of its own. */
const QUESTIONS: Readonly<Record<string, string>> = {
  pytest: 'python3 -m pytest --version',
  'pytest 9': 'python3 -c "import pytest, sys; sys.exit(pytest.version_tuple < (9,))"',
};

interface Outcome {
  readonly isGreen: boolean;
  readonly output: string;
}

/** Nothing of the environment in which these tests run may reach what they run. */
const environment = (home: string): NodeJS.ProcessEnv => ({
  PATH: [process.env['PATH'] ?? '', PACKAGES].join(delimiter),
  HOME: home,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  CI: '1',
  PYTHONDONTWRITEBYTECODE: '1',
  npm_config_update_notifier: 'false',
  // rustup looks for its tool chains below the real home
  RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup'),
  CARGO_HOME: process.env['CARGO_HOME'] ?? join(homedir(), '.cargo'),
});

export const runIn = async (folder: string, home: string, command: string): Promise<Outcome> => {
  const child = spawn('sh', ['-c', command], {
    cwd: folder,
    env: environment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  let output = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (output += piece.toString()));
  const code = await new Promise<number | null>((done, fail) => child.on('close', done).on('error', fail));
  return { isGreen: code === 0, output };
};

/** Runs what a case claims, in `folder`; the sentences say which claims are not so. */
export class LabelProver {
  readonly #folder: string;
  readonly #known = new Map<string, Promise<Outcome>>();
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A tree that was run before is not run again: many bases are the same, many changes are of product files alone. */
  #run(tree: Tree, commands: readonly string[]): Promise<Outcome> {
    const key = JSON.stringify([[...tree].toSorted(([one], [other]) => (one < other ? -1 : 1)), commands]);
    const known = this.#known.get(key) ?? this.#runAnew(tree, commands);
    this.#known.set(key, known);
    return known;
  }

  async #runAnew(tree: Tree, commands: readonly string[]): Promise<Outcome> {
    this.#count += 1;
    const [folder, home] = [join(this.#folder, `${this.#count}`, 'tree'), join(this.#folder, `${this.#count}`, 'home')];
    await mkdir(home, { recursive: true });
    await writeTree(tree, folder);
    let output = '';
    let isGreen = true;
    for (const command of commands) {
      const outcome = await runIn(folder, home, command);
      output += outcome.output;
      isGreen &&= outcome.isGreen;
    }
    await rm(join(folder, '..'), { recursive: true, force: true });
    return { isGreen, output };
  }

  async faultsOf(one: LabelledChange): Promise<readonly string[]> {
    const commands = gatesOf(one).map(({ run }) => run);
    const [base, changed] = [baseOf(one), changedOf(one)];
    const faults: string[] = [];
    const expect = (what: string, outcome: Outcome, color: 'green' | 'red'): void => {
      if (outcome.isGreen !== (color === 'green'))
        faults.push(`${what} is not ${color}:\n${outcome.output.slice(-1500)}`);
    };

    expect('the base', await this.#run(base, commands), 'green');
    expect('the change', await this.#run(changed, commands), 'green');

    const old = await this.#run(mixedOf(one, base, changed), commands);
    expect('the new product before the old check files', old, one.old);
    const names = (one.red ?? []).map((name) => name.split(' > ').at(-1) ?? name);
    for (const name of names)
      if (!old.output.includes(name)) faults.push(`the old check files do not name: ${name}\n${old.output}`);
    if ((one.old === 'red') !== names.length > 0)
      faults.push('red names tests exactly where the old check files are red');

    if (one.fresh !== undefined) {
      expect(
        'the old product before the new check files',
        await this.#run(mixedOf(one, changed, base), commands),
        one.fresh,
      );
    }
    if (one.truth !== undefined) {
      const tree = new Map([...changed, [one.truth.path, one.truth.content] as const]);
      expect(
        'the truth about the change',
        await this.#run(tree, [one.truth.run]),
        one.kind === 'weakening' ? 'red' : 'green',
      );
    }
    if (one.kind === 'weakening' && one.old === 'green' && one.truth === undefined)
      faults.push('nothing shows that it is a weakening');
    return faults;
  }
}

/** Whether every program that the case needs is on this machine. */
export const missingPrograms = async (one: LabelledChange, folder: string): Promise<readonly string[]> => {
  const missing: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const name of programsOf(one)) {
    const question = QUESTIONS[name] ?? `command -v ${name}`;
    if (!(await runIn(folder, folder, question)).isGreen) missing.push(name);
  }
  return missing;
};
