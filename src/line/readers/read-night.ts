import { basename } from 'node:path';
import { TERMINAL } from '../../base/names.ts';
import type { Settings } from '../../project/config/read-settings.ts';
import type { DataGap } from '../digest/digest.ts';
import { listStories, type RepositoryNight } from '../digest/repository-night.ts';
import type { Journal, WrittenEntry } from '../journal/journal.ts';
import type { Services } from '../services/services.ts';
import { loadWorkspace, type Workspace } from '../../project/workspace/load-workspace.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';
import { describeReadError, readOnce, selectConcerned, loadJournal, type ReadJournal } from './journal-reader.ts';
import { readLine } from './read-line.ts';
import { readJson } from '../../base/read-json.ts';
import { openDir } from '../../base/system/safe-fs.ts';

/** One repository for a digest, with the last entry reported. */
export interface ReadNight {
  readonly night: RepositoryNight;
  readonly state: string;
  readonly head: number | undefined;
  /** The whole journal; empty where it is not trusted. */
  readonly entries: readonly WrittenEntry[];
  /** Limits of the user; undefined where the workspace could not be read. */
  readonly settings?: Pick<Settings, 'hours' | 'ceilings'>;
}

/** Reads the journal and the line of one repository for a digest. A failure is reported, not thrown. */
export async function readNight(
  { state, root, isThere }: { readonly state: string; readonly root: string; readonly isThere: boolean },
  mark: DigestMark,
  env: NodeJS.ProcessEnv,
  read: ReadJournal = readOnce(state),
): Promise<ReadNight> {
  const { entries, damage, cut } = read;
  const about = { repository: root, task_id: null };
  const empty: RepositoryNight = {
    name: basename(root),
    root,
    entries: [],
    since: 0,
    line: undefined,
    damage: damage?.what,
    held: new Map(),
    notKnown: cut === undefined ? [] : [{ ...about, what: cut, remedy: 'andon doctor --journal' }],
  };
  const cannot = (what: string, remedy: string | null = null): ReadNight => {
    const notKnown: DataGap = { ...about, what, remedy };
    return { night: { ...empty, notKnown: [notKnown] }, state, head: undefined, entries };
  };
  if (damage !== undefined) return cannot(`what happened: ${damage.what}, so it is not shown`, damage.remedy);
  const since = findNewsStart(entries, mark.at, mark.heads[basename(state)]);
  const concerned = selectConcerned(entries, since);
  const known: RepositoryNight = { ...empty, entries: concerned, since };
  const head = entries.at(-1)?.seq ?? 0;
  if (!isThere) return { night: toGoneRepository(known), state, head, entries };
  try {
    const place = await loadWorkspace(root, env);
    if (place.state !== state) return cannot('what happened: another repository is at its path now');
    const journal = entries.length === 0 ? undefined : loadJournal(entries, concerned);
    return { night: await withLine(known, place, journal), state, head, entries, settings: place.settings };
  } catch (error) {
    const { what, remedy } = describeReadError(error);
    const notKnown = { ...about, what: `the state of its line: ${what}`, remedy };
    return { night: { ...known, notKnown: [notKnown, ...known.notKnown] }, state, head, entries };
  }
}

/** Whether a repository has content for a digest over all of them. */
export const hasDigestContent = ({ entries, since, line, notKnown }: RepositoryNight): boolean =>
  notKnown.length > 0 || line !== undefined || entries.some(({ seq }) => seq > since);

/** A repository that was moved or deleted: its open tasks cannot be answered from here. */
function toGoneRepository(known: RepositoryNight): RepositoryNight {
  const open = listStories(known).filter(({ record }) => !TERMINAL.includes(record.status)).length;
  const isNews = known.entries.some(({ seq }) => seq > known.since);
  if (open === 0 && !isNews) return { ...known, entries: [] };
  const tasks = open === 0 ? '' : `; ${open} of its tasks ${open === 1 ? 'is' : 'are'} open`;
  return {
    ...known,
    entries: [],
    notKnown: [
      {
        repository: known.root,
        task_id: null,
        what: `it is not there any more: moved or deleted${tasks}`,
        remedy: 'where it was moved, type andon status there: its journal is taken along',
      },
    ],
  };
}

async function withLine(
  known: RepositoryNight,
  place: Workspace,
  journal: Journal | undefined,
): Promise<RepositoryNight> {
  const line = await readLine(place, journal);
  const held = await heldMerges(known, place);
  return { ...known, line, held };
}

/** Whether the targets hold the merges that are news, or whose undoing is; unknown for a missing target. */
async function heldMerges(
  { entries, since }: RepositoryNight,
  place: Workspace,
): Promise<ReadonlyMap<string, boolean>> {
  const isNews = ({ seq, entry }: (typeof entries)[number]): boolean =>
    seq > since && (entry.kind === 'undone' || (entry.kind === 'moved' && entry.facts.merge !== undefined));
  const tasks = new Set(entries.filter(isNews).map(({ taskId }) => taskId));
  const merges = entries.flatMap(({ taskId, entry }) =>
    tasks.has(taskId) && entry.kind === 'moved' && entry.facts.merge !== undefined ? [entry.facts.merge] : [],
  );
  if (merges.length === 0) return new Map();
  const repository = await openForReading(place);
  const pinned = await commitsUnder(repository);
  const held = new Map<string, boolean>();
  for (const target of new Set(merges.map((one) => one.target))) {
    const tipNow = await repository.resolve(target);
    if (tipNow === undefined) continue;
    const within = await commitsUnder(repository, target);
    for (const { commit, tip } of merges.filter((one) => one.target === target)) {
      if (within.has(tip) || within.has(commit)) held.set(commit, true);
      else if (pinned.has(tip) || pinned.has(commit)) held.set(commit, false);
      else held.set(commit, await repository.isAncestor(commit, tipNow));
    }
  }
  return held;
}

const commitsUnder = async (repository: Services['repository'], within?: string): Promise<ReadonlySet<string>> =>
  new Set((await repository.refsUnder('refs/andon/', within)).map(({ commit }) => commit));

/** The end of the last digest: its moment, and the last entry of each journal, by state folder. */
export interface DigestMark {
  readonly at: string;
  readonly heads: Readonly<Record<string, number>>;
  /** The day of a digest that was sent on schedule. */
  readonly day?: string | undefined;
}

const LARGEST = 1024 * 1024;

/** The mark of the last digest; undefined without one, a reason where it cannot be read. */
export function readMark(folder: string, file: string): DigestMark | string | undefined {
  const read = openDir(folder).text(file, LARGEST);
  if (!read.ok) return read.why;
  if (read.value === undefined) return undefined;
  const json = readJson(read.value);
  const { at, heads, day } = Object(json.ok ? json.value.value : undefined) as Partial<
    Record<keyof DigestMark, unknown>
  >;
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || typeof heads !== 'object' || heads === null)
    return 'holds no mark of a digest';
  return { at, heads: heads as DigestMark['heads'], ...(typeof day === 'string' ? { day } : {}) };
}

export const writeMark = (folder: string, file: string, mark: DigestMark): void =>
  void openDir(folder).write(file, `${JSON.stringify(mark)}\n`);

/** The last entry before the news: by its number in the mark, else by the clock. */
function findNewsStart(entries: readonly WrittenEntry[], at: string, head: unknown): number {
  const last = entries.at(-1)?.seq ?? 0;
  if (typeof head === 'number' && head <= last) return head;
  const first = entries.find(({ glance }) => typeof glance.at === 'string' && glance.at >= at);
  return first === undefined ? last : first.seq - 1;
}
