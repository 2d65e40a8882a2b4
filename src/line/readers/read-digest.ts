import { basename } from 'node:path';
import type { Digest, DataGap } from '../digest/digest.ts';
import { gatherDigest } from '../digest/gather-digest.ts';
import { listWorkspaces } from '../../project/workspace/list-workspaces.ts';
import { findStateHome } from '../../project/folders/user-folders.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readMark, writeMark, readNight, hasDigestContent, type DigestMark, type ReadNight } from './read-night.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { toShellWord } from '../../base/shell-word.ts';
import {
  formatNightCeiling,
  type CeilingUse,
  reportNights,
  type NightReport,
} from '../../agents/budget/night-facts.ts';
import { readCurrentNight } from '../night/read-current-night.ts';
import { readLedger } from '../calls/open-ledger.ts';

/** The file that marks the last digest of a person. */
export const TYPED = 'digest.json';

export interface DigestRequest {
  /** Undefined = every repository that andon keeps a state of. */
  readonly place: Workspace | undefined;
  /** Undefined = since the last one, and without one the last 24 hours. */
  readonly since: string | undefined;
  readonly now: string;
  readonly file?: string;
}

const FIRST_MS = 24 * 3_600_000;
/** Repositories read at once; each runs git a few times. */
const AT_ONCE = 4;

export async function readDigest({ place, since, now, file = TYPED }: DigestRequest, env: NodeJS.ProcessEnv) {
  const folder = place?.state ?? findStateHome(env);
  const noted = since === undefined ? readMark(folder, file) : undefined;
  const mark = since === undefined ? markOf(noted, now) : { at: since, heads: {} };
  const notKnown: DataGap[] =
    typeof noted === 'string'
      ? [
          {
            repository: null,
            task_id: null,
            what: `up to where the last digest ended: its note ${noted}`,
            remedy: null,
          },
        ]
      : [];
  const places: { readonly state: string; readonly root: string; readonly isThere: boolean }[] = [];
  if (place !== undefined) places.push({ state: place.state, root: place.facts.root, isThere: true });
  else
    for (const { state, root, isThere, hasJournal } of listWorkspaces(env)) {
      if (root !== undefined) places.push({ state, root, isThere });
      else if (hasJournal) notKnown.push(nowhere(state));
    }
  const read = await mapInParts(places, (one) => readNight(one, mark, env));
  const nights = place === undefined ? read.filter(({ night }) => hasDigestContent(night)) : read;
  return {
    digest: gatherDigest(
      nights.map(({ night }) => night),
      { from: mark.at, to: now, notKnown, ...limitsIn(read, env, { from: mark.at, to: now }) },
    ),
    /** Marks its end, where the next digest begins. */
    remember: (more?: { readonly day: string }): void => {
      const heads = read.flatMap(({ state, head }) => (head === undefined ? [] : [[basename(state), head] as const]));
      writeMark(folder, file, { at: now, heads: { ...mark.heads, ...Object.fromEntries(heads) }, ...more });
    },
  };
}

function limitsIn(
  read: readonly ReadNight[],
  env: NodeJS.ProcessEnv,
  { from, to }: { readonly from: string; readonly to: string },
): { readonly ceilings: Digest['spent']['ceilings']; readonly planned: Digest['nights'] } {
  const settings = read.find((one) => one.settings !== undefined)?.settings;
  if (settings === undefined) return { ceilings: [], planned: [] };
  const home = findStateHome(env);
  const { facts, past } = readCurrentNight(
    home,
    read.map(({ state }) => state),
    settings,
    to,
    { since: from },
  );
  const ledger = readLedger(home);
  try {
    const isDead = facts?.night?.attended === false;
    const planned = reportNights({ nights: ledger.nights(from), isDead }, from, to).map((night) => ({
      ...night,
      ...listNotBegun(night, read, past),
      ...(isDead && night.until === facts.night?.until ? goesOn(read, night.from) : {}),
    }));
    return { ceilings: [...(facts?.ceilings ?? []), ...past], planned };
  } finally {
    ledger.close();
  }
}

/** Tasks held to the end of a night, and contracts that still wait, each with the reason. */
function listNotBegun(
  { from, until }: NightReport,
  read: readonly ReadNight[],
  past: readonly CeilingUse[],
): Pick<NightReport, 'could_not_begin'> {
  const usedUp = past.find((one) => one.from === from && one.at_least >= one.limit);
  const all = read.flatMap(({ night: { name, line }, entries }) => {
    const within = entries.filter(({ entry }) => entry.at >= from && entry.at <= until);
    const tasks = [...Map.groupBy(within, ({ taskId }) => taskId)].flatMap(([task, own]) => {
      const last = own.findLast(({ entry: { kind } }) => kind === 'held' || kind === 'started' || kind === 'released');
      return last?.entry.kind === 'held' && last.entry.own !== undefined
        ? [`${name}: ${task}: ${last.entry.reason}`]
        : [];
    });
    const files = usedUp === undefined ? [] : (line?.waiting ?? []);
    return [
      ...tasks,
      ...files.map((file) => `${name}: ${file}: the ceiling ${formatNightCeiling(usedUp as CeilingUse)}`),
    ];
  });
  return all.length === 0 ? {} : { could_not_begin: all.map((text) => toTerminalLine(text, 300)) };
}

/** The command that continues a night whose andon died, in the repositories where something happened in it. */
function goesOn(read: readonly ReadNight[], since: string): Pick<NightReport, 'goes_on'> {
  const roots = read.flatMap(({ night: { root }, entries }) =>
    entries.some(({ entry }) => entry.at >= since) ? [root] : [],
  );
  const [first = read[0]?.night.root, ...others] = roots;
  if (first === undefined) return {};
  const folders = others.length === 0 ? [] : roots.map((root) => toShellWord(root) ?? root);
  return { goes_on: { repository: first, command: ['andon night', ...folders].join(' ') } };
}

function markOf(noted: DigestMark | string | undefined, now: string): DigestMark {
  if (noted !== undefined && typeof noted !== 'string') return noted;
  return { at: new Date(Date.parse(now) - FIRST_MS).toISOString(), heads: {} };
}

/** A state of an older andon, which recorded no repository. */
const nowhere = (state: string): DataGap => ({
  repository: null,
  task_id: null,
  what: `to which repository the state ${basename(state)} belongs`,
  remedy: 'andon watch in that repository notes it',
});

async function mapInParts<One, Value>(all: readonly One[], work: (one: One) => Promise<Value>): Promise<Value[]> {
  const done: Value[] = [];
  for (let at = 0; at < all.length; at += AT_ONCE)
    done.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(work))));
  return done;
}
