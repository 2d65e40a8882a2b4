import { basename } from 'node:path';
import type { Digest, NotKnown } from '../../line/digest/digest.ts';
import { digestOf } from '../../line/digest/gather.ts';
import { knownStates, stateHomeOf } from '../../wiring/known-states.ts';
import type { Place } from '../../wiring/open-place.ts';
import { readMark, writeMark } from './digest-mark.ts';
import type { Mark } from './digest-mark.ts';
import { nightsTold } from '../../night/told.ts';
import { nightNow } from '../night/night-now.ts';
import { readLedger } from '../../wiring/open-ledger.ts';
import { holderOfState } from '../../wiring/open-reader.ts';
import { readNight, saysAnything, watchedIn } from './read-night.ts';
import type { ReadNight } from './read-night.ts';

/** Where the last digest of a person is noted. */
export const TYPED = 'digest.json';

/** Which repositories a digest is about, since when, and where that is noted. */
export interface Asked {
  /** Undefined = every repository that andon keeps a state of. */
  readonly place: Place | undefined;
  /** Undefined = since the last one, and without one the last 24 hours. */
  readonly since: string | undefined;
  readonly now: string;
  /** The file of the last one. */
  readonly file?: string;
}

const FIRST_MS = 24 * 3_600_000;
/** So many repositories are looked at at once: each asks git a few things. */
const AT_ONCE = 4;

/** Reads what a digest is made of, each journal once, and makes it. */
export async function readDigest({ place, since, now, file = TYPED }: Asked, env: NodeJS.ProcessEnv) {
  const folder = place?.state ?? stateHomeOf(env);
  const noted = since === undefined ? readMark(folder, file) : undefined;
  const mark = since === undefined ? markOf(noted, now) : { at: since, heads: {} };
  const notKnown: NotKnown[] =
    typeof noted === 'string'
      ? [{ repository: null, task_id: null, what: `up to where the last digest told: its note ${noted}`, remedy: null }]
      : [];
  const places: { readonly state: string; readonly root: string; readonly isThere: boolean }[] = [];
  if (place !== undefined) places.push({ state: place.state, root: place.facts.root, isThere: true });
  else
    for (const { state, root, isThere, hasJournal } of knownStates(env)) {
      if (root !== undefined) places.push({ state, root, isThere });
      else if (hasJournal) notKnown.push(nowhere(state));
    }
  const read = await inParts(places, (one) => readNight(one, mark, env));
  const told = place === undefined ? read.filter(({ night }) => saysAnything(night)) : read;
  return {
    digest: digestOf(
      told.map(({ night }) => night),
      { from: mark.at, to: now, notKnown, ...limitsIn(read, env, { from: mark.at, to: now }) },
    ),
    /** Notes that it was told: the next one since the last begins where this one ends. */
    remember: (more?: { readonly day: string }): void => {
      const heads = read.flatMap(({ state, head }) => (head === undefined ? [] : [[basename(state), head] as const]));
      writeMark(folder, file, { at: now, heads: { ...mark.heads, ...Object.fromEntries(heads) }, ...more });
    },
  };
}

/** What is used of the user's ceilings, and how planned nights went; by when anybody watched any repository of the user. */
function limitsIn(
  read: readonly ReadNight[],
  env: NodeJS.ProcessEnv,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly ceilings: Digest['spent']['ceilings']; readonly planned: Digest['nights'] } {
  const settings = read.find((one) => one.settings !== undefined)?.settings;
  if (settings === undefined) return { ceilings: [], planned: [] };
  const home = stateHomeOf(env);
  const attended = knownStates(env).flatMap(
    ({ state }) => watchedIn(state, holderOfState(state)?.doing === 'watch') ?? [],
  );
  const { facts } = nightNow(home, settings, to);
  const ledger = readLedger(home);
  try {
    const nights = ledger.nights(from);
    const planned = nightsTold({ nights, hours: settings.hours, attended }, from, to);
    return { ceilings: facts?.ceilings ?? [], planned };
  } finally {
    ledger.close();
  }
}

function markOf(noted: Mark | string | undefined, now: string): Mark {
  if (noted !== undefined && typeof noted !== 'string') return noted;
  return { at: new Date(Date.parse(now) - FIRST_MS).toISOString(), heads: {} };
}

/** A state of an older andon, which did not note whose it is. */
const nowhere = (state: string): NotKnown => ({
  repository: null,
  task_id: null,
  what: `to which repository the state ${basename(state)} belongs`,
  remedy: 'andon watch in that repository notes it',
});

async function inParts<One, Value>(all: readonly One[], work: (one: One) => Promise<Value>): Promise<Value[]> {
  const done: Value[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return done;
}
