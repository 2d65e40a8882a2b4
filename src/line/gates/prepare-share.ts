import { setTimeout as sleep } from 'node:timers/promises';
import { SETUP_IDLE_MINUTES, SETUP_MINUTES } from '../core/step-minutes.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { CagedResult } from '../../sandbox/cage.ts';
import { computeSetupDigest, type BaseQuestion } from './base-runs.ts';
import { explainSetup } from './explain-setup.ts';
import { listToolFolders } from './prepare-gate-tree.ts';
import { Stopped } from '../journal/stopped.ts';
import type { GateServices, Needs } from '../services/services.ts';

export type Shares = readonly (readonly [string, string])[];

/** Where the shared folders come from: the prepared base tree when there is a `setup`, else the user's checkout. */
export async function prepareShare(
  services: GateServices,
  job: BaseQuestion,
  signal: AbortSignal,
): Promise<Outcome<Shares, string>> {
  const { setup, share } = services.settings;
  const { preparedFrom = job.base } = job;
  const hidden = await trackedShare(services, preparedFrom);
  if (hidden !== undefined) return failure(hidden);
  if (setup.length === 0) return success(existing(services, services.root, share));
  const digest = await computeSetupDigest(services, preparedFrom);
  // An undo or a doctor may prepare a tree at the same time.
  for (let isWaiting = false; !services.folders.prepared(digest).done; isWaiting = true) {
    const lock = services.folders.lockPrepared();
    if (lock !== 'taken') {
      const why = await runSetup(services, digest, preparedFrom, signal).finally(() => lock.release());
      if (why !== undefined) return failure(why);
      break;
    }
    if (!isWaiting)
      services.say({ kind: 'word', level: 'info', text: 'setup: another one is running; waiting for it' });
    await sleep(SETUP_POLL_MS, undefined, { signal }).catch(stopped);
  }
  return success(existing(services, services.folders.prepared(digest).folder, share));
}

/** How often a tree that another run prepares is looked for. */
const SETUP_POLL_MS = 500;

const stopped = (): never => {
  throw new Stopped();
};

/** Prepares the tree of a digest, unless that was done meanwhile; why it could not be, or undefined. */
async function runSetup(
  services: GateServices,
  digest: string,
  base: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { setup } = services.settings;
  const { folder, done } = services.folders.prepared(digest);
  if (done) return undefined;
  services.say({ kind: 'word', level: 'info', text: `setup: preparing the base tree (${setup.join('; ')})` });
  await services.repository.checkOutAnew(base, folder);
  const programs = await listToolFolders(services, base);
  for (const run of setup) {
    const result = await services.cage.run({
      run,
      tree: folder,
      network: true,
      programs,
      share: [],
      timeoutMs: SETUP_MINUTES * 60_000,
      idleMs: SETUP_IDLE_MINUTES * 60_000,
      signal,
    });
    if (result.ended === 'aborted') throw new Stopped();
    if (result.exit !== 0) return describeFailedSetup(run, result);
  }
  services.folders.markPrepared(digest);
  return undefined;
}

/** A fault of the network is explained; its remedy is the last line, behind a line break. */
function describeFailedSetup(run: string, { exit, limit, ended, output }: CagedResult): string {
  const fault = explainSetup(run, getEnds(output), ended === 'idle');
  const what = `setup command \`${run}\` failed (${exit ?? limit ?? ended})`;
  const lines = getTail(output).split('\n');
  const errors = lines.filter((line) => /\b(?:error|failed|ERR)\b/i.test(line) && !line.includes('complete log'));
  const rows = (errors.length > 0 ? errors : lines).slice(-5).join(' / ');
  return fault === undefined ? `${what}: ${rows}` : `${what}: ${fault.cause}. ${fault.evidence}\n${fault.remedy}`;
}

const existing = (services: Needs<'folders'>, folder: string, share: readonly string[]): Shares =>
  share.flatMap((path) => {
    const from = services.folders.shared(folder, path);
    return from === undefined ? [] : [[from, path] as const];
  });

/** A shared folder that is tracked would stand in front of the very change that the gates must see. */
async function trackedShare(services: Needs<'repository' | 'settings'>, base: string): Promise<string | undefined> {
  const { share } = services.settings;
  if (share.length === 0) return undefined;
  const files = await services.repository.files(base);
  const path = share.find((shared) => files.some((file) => file.path === shared || file.path.startsWith(`${shared}/`)));
  return path === undefined
    ? undefined
    : `\`share\` names ${path}, which is tracked in git; share only what is not, such as node_modules`;
}

/** How much of a gate's output is kept as evidence: beginning, end, and what tells of failures between them. */
export const KEPT_CHARACTERS = 6000;
/** Characters at each end of it in which the failing lines are looked for. */
const LOOKED_AT = 256 * 1024;
/** The last lines of a setup command that failed. */
const KEPT_LINES = 60;

/** Only both ends of an endless output are read: splitting two megabytes into lines takes a hundred. */
export const getEnds = (output: string): string =>
  output.length <= 2 * LOOKED_AT ? output : `${output.slice(0, LOOKED_AT)}\n…\n${output.slice(-LOOKED_AT)}`;

export function getTail(output: string): string {
  return output.trimEnd().slice(-KEPT_CHARACTERS).split('\n').slice(-KEPT_LINES).join('\n');
}
