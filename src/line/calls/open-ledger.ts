import { basename, dirname, join } from 'node:path';
import { openDir } from '../../base/system/safe-fs.ts';
import { moveToFree } from '../../project/handoff/take-file.ts';
import { readStateHolder, isAlive, identifyThisProcess } from '../../project/locks/holder.ts';
import { NO_LEDGER } from '../../agents/ledger/no-ledger.ts';
import { makeLedger, openLedger } from '../../agents/ledger/sqlite-ledger.ts';
import { Problem } from '../../base/problem.ts';
import type { Journal } from '../journal/journal.ts';
import type { Ledger, NightRun, OpenCall } from '../../agents/ledger.ts';
import { isStopped } from '../../agents/budget/night-facts.ts';
import { readJournal } from '../journal/open-journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { settleLeft } from './settle-call.ts';

const FOLDER = 'ledger';
const FILE = 'ledger.sqlite';

/** The ledger of the user who owns a state folder, for calls of models. Created if missing. */
export function openLedgerIn(home: string): Ledger {
  const door = openDir(home);
  door.makeFolder(FOLDER, 0o700);
  makeWhereNone(home);
  const ledger = openLedger(ledgerIn(home), identifyThisProcess());
  return {
    ...ledger,
    reserve(claim, decide) {
      const decided = ledger.reserve(claim, decide);
      return decided.ok || settleOfDead(home, ledger) === 0 ? decided : ledger.reserve(claim, decide);
    },
  };
}

/**
 * The ledger for the holder of a repository's lock: no other process can be making one of its calls, so what was reserved
 * for them before is settled as its journal says.
 */
export function openLedgerBeside({ state }: Pick<Workspace, 'state'>, journal: Journal): Ledger {
  const ledger = openLedgerIn(getStatesHome({ state }));
  settleLeft(ledger, ledger.open(basename(state)), journal);
  return ledger;
}

/** The ledger for a command that may run where nothing can be kept, such as a CI machine; undefined where it cannot be made. */
export function openLedgerIfPossible(home: string): Ledger | undefined {
  try {
    return openLedgerIn(home);
  } catch (error) {
    if (error instanceof Problem) throw error;
    return undefined;
  }
}

/** The ledger for reading; one in which nothing was written where none was made yet. */
export function readLedger(home: string): Ledger {
  if (openDir(home).stat(FOLDER) === undefined || openDir(join(home, FOLDER)).stat(FILE) === undefined)
    return NO_LEDGER;
  return openLedger(ledgerIn(home), { pid: 0, startTime: '', boot: '' }, { readOnly: true });
}

/** Whether the andon that opened a night, or went on with it, is gone. */
export const isLeft = ({ owner }: Pick<NightRun, 'owner'>): boolean => !isAlive(owner);

/** Whether an andon watches the repository of this state folder. */
export const isWatched = (state: string): boolean => readStateHolder(state)?.doing === 'watch';

/** The last night that was ended early, for a watchdog that starts now; 0 = none. */
export function readLastStop(home: string): number {
  const ledger = readLedger(home);
  try {
    const last = ledger.lastNight();
    return isStopped(last) ? last.id : 0;
  } finally {
    ledger.close();
  }
}

/** The home of all states of a user, by that of one repository. */
export const getStatesHome = ({ state }: Pick<Workspace, 'state'>): string => dirname(dirname(state));

/**
 * Creates a missing ledger under another name first: a file with its name is whole, and an empty
 * one was emptied. Of two processes one wins; half-made files of a dead process are removed.
 */
function makeWhereNone(home: string): void {
  const door = openDir(join(home, FOLDER));
  for (const { name } of door.entries('')) {
    const pid = Number(HALF_MADE.exec(name)?.[1] ?? Number.NaN);
    const isLeft = pid === process.pid || !isAlive({ pid, startTime: '', boot: '' });
    if (!Number.isNaN(pid) && isLeft) door.remove(name);
  }
  if (door.stat(FILE) !== undefined) return;
  const fresh = door.plain(`${FILE}.${process.pid}.new`);
  makeLedger(fresh);
  moveToFree(fresh, ledgerIn(home), () => true);
}

const HALF_MADE = /^\.?ledger\.sqlite\.(\d+)\.new/;

/** Settles what died andons of other repositories set aside, as far as their journals say what came of it. */
function settleOfDead(home: string, ledger: Ledger): number {
  const dead = ledger.open().filter(({ owner }) => !isAlive(owner));
  let settled = 0;
  for (const [state, left] of Map.groupBy(dead, (one) => one.state)) settled += settleIn(home, ledger, state, left);
  return settled;
}

function settleIn(home: string, ledger: Ledger, state: string, left: readonly OpenCall[]): number {
  try {
    const journal = readJournal({ state: join(home, 'repositories', state) });
    if (journal === undefined) return 0;
    try {
      return journal.verify() === undefined ? settleLeft(ledger, left, journal) : 0;
    } finally {
      journal.close();
    }
  } catch {
    return 0; // what cannot be read says nothing: what was set aside goes on to count
  }
}

/** The path of the ledger. A link is refused: SQLite would follow it and make a ledger there. */
function ledgerIn(home: string): string {
  const door = openDir(join(home, FOLDER));
  for (const beside of ['-wal', '-shm']) door.plain(`${FILE}${beside}`);
  return door.plain(FILE);
}
