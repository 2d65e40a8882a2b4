import { onTestFinished } from 'vitest';
import { readProcessStat } from '../../src/sandbox/processes/proc.ts';
import { aContract } from '../support/contract.ts';
import { EDITING_NAMES, editBy, type EditingName } from '../support/edit-drivers.ts';
import { aFactory, eventually, type Factory, type Options } from '../support/factory.ts';
import { modelApis, type Saying } from '../support/model-apis.ts';
import { FINAL } from '../support/scenario.ts';
import { installAgents } from './install-agents.ts';
import { installClaude } from './install-claude.ts';

// A line whose implementer is a real program, let at a copy of the project in the cage of bubblewrap, with nothing but the
// model door. The model behind the door is a script on the loopback, and the keys are none.

const programs = installAgents();
const claude = installClaude();
const ways: Readonly<Record<string, string>> = {
  ...(programs.ok ? programs.value : {}),
  ...(claude.ok ? { 'claude-code': claude.value } : {}),
};
/** The programs that could be installed here. */
export const HERE = EDITING_NAMES.filter((name) => ways[name] !== undefined);
const missing = EDITING_NAMES.filter((name) => !HERE.includes(name));
if (missing.length > 0) console.warn(`not run: ${missing.join(', ')}: could not be installed`);

export const PATH = 'docs/auth_final.md';
/** The shell command that does the work of the contract. */
export const WRITES = `printf '%s' '${FINAL}' > ${PATH}`;
const PATIENCE_MS = 170_000;

/** A model that has each attempt run its commands one after the other and then says that it is done; the last attempt is repeated. */
export function does(...attempts: readonly (readonly string[])[]): Saying {
  let [attempt, step] = [-1, 0];
  return (prompt, { tools, turns }) => {
    if (!prompt.includes('You are the implementer') || tools.length === 0) return 'A title'; // a request beside the work
    if (turns === 0) [attempt, step] = [Math.min(attempt + 1, attempts.length - 1), 0];
    const run = attempts[attempt]?.[step];
    step += 1;
    return run === undefined ? 'I wrote docs/auth_final.md as the contract asks.' : { run };
  };
}

/** A line whose implementer is the real program; its model does what `say` says, or lies at `url`. */
export async function aLine(
  program: EditingName,
  say: Saying,
  { url, ...options }: Options & { readonly url?: string } = {},
) {
  const api = await modelApis(say);
  onTestFinished(() => api.close());
  const factory = await aFactory({ ...options, cage: 'bubblewrap' });
  const name = editBy(factory, program, url ?? api.url, {
    program: ways[program] ?? '',
    profile: { limits: { idle_minutes: 2 } },
  });
  return { api, factory, name };
}

/** Drops the contract and waits until the line has merged it, or halts, or waits for something by itself. */
export async function endOf(factory: Factory, implementer: string): Promise<'merged' | 'halted' | 'held'> {
  const dog = await factory.begin(aContract({ 'roles.implementer': implementer }));
  const isHeld = async (): Promise<boolean> => Boolean((await factory.status()).task?.hold);
  await dog.until(async () => factory.isHalted() || factory.isMerged() || (await isHeld()), PATIENCE_MS);
  if (factory.isHalted()) return 'halted';
  return factory.isMerged() ? 'merged' : 'held';
}

/** What the journal tells of the calls of the implementer. */
export async function callsOf(factory: Factory): Promise<readonly ImplementerCall[]> {
  const { calls } = (await factory.show('DOC-001')) as unknown as { calls: readonly ImplementerCall[] };
  return calls.filter(({ station }) => station === 'implementer');
}

interface ImplementerCall {
  readonly station: string;
  readonly agent: string;
  readonly ok: boolean;
  readonly failure?: string;
  readonly why?: string;
}

/** Sends a signal to the program itself, once a command that it runs is there. */
export async function signalInTool(factory: Factory, signal: NodeJS.Signals, command: string): Promise<void> {
  const runs = (text: string) => factory.processes().filter((one) => one.command.includes(text));
  await eventually(() => runs(command).length > 0, 'the program runs its tool', PATIENCE_MS);
  const [relay] = runs('behind-door.mjs').filter(({ command: words }) => !words.includes('--unshare-user'));
  const program = factory.processes().find(({ pid }) => readProcessStat(pid)?.parent === relay?.pid);
  if (program === undefined) throw new Error('nobody is behind the door');
  process.kill(program.pid, signal);
}
