import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openJournal } from '../../../src/line/journal/sqlite-journal.ts';
import { isOurs } from '../../../src/line/documents/own-papers.ts';
import type { Services } from '../../../src/line/services/services.ts';
import { parseContract } from '../../../src/project/contract/task-contract-schema.ts';
import { foldJournal } from '../../../src/line/core/fold-journal.ts';
import type { Journal } from '../../../src/line/journal/journal.ts';
import { Problem } from '../../../src/base/problem.ts';
import { Disk } from './disk.ts';
import { diskAfter, type PowerLoss } from './fates.ts';
import type { Recording } from './recording.ts';

const TASK = 'DOC-001';

/** A journal that was read. */
interface Story {
  readonly broken: number | undefined;
  readonly rows: ReturnType<Journal['since']>;
}

const JOURNAL = ['journal.sqlite', 'journal.sqlite-wal', 'journal.sqlite-journal'];

/** What a recording shows of its papers, and how the disk of a power loss is held against it. */
export interface Look {
  /** The effects that the papers and the journal are made of. */
  readonly matters: (at: number) => boolean;
  /** What is not as it must be on the disk of a power loss. */
  readonly faults: (loss: PowerLoss) => readonly string[];
}

/** Looks at papers and journal as the product's own readers do, without starting andon. */
export function lookAt(recording: Recording): Look {
  const handoff = 'Project-A/_handoff';
  const whole = wholeTexts(recording, handoff);
  const last = diskAfter(recording, { done: recording.effects.length, fates: new Map() });
  const state = `state/andon/repositories/${last.names('state/andon/repositories')[0] ?? ''}`;
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'andon-power-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const told = new Map<number, number>();
  const stories = new Map<string, Story | undefined>();
  const story = (disk: Disk): Story | undefined => {
    const key = JOURNAL.map((name) => digest(disk.read(`${state}/${name}`) ?? '')).join('');
    if (!stories.has(key)) stories.set(key, storyOf(disk, state, scratch));
    return stories.get(key);
  };
  const rows = story(last)?.rows ?? [];

  const matters = mattering(recording, handoff, state);
  const only = recording.effects.map((_, at) => at).filter(matters);

  const faults = (loss: PowerLoss): readonly string[] => {
    const disk = diskAfter(recording, loss, only);
    const wrong: string[] = [];
    const text = (name: string): string | undefined => disk.read(`${handoff}/${name}`)?.toString();
    for (const name of papersOf(disk, handoff)) {
      const found = text(name) ?? '';
      const base = name.slice(name.lastIndexOf('/') + 1);
      if (name.endsWith('.ndjson')) wrong.push(...tornLines(found, last.read(`${handoff}/${name}`)?.toString() ?? ''));
      else if (whole.get(base)?.has(digest(found)) !== true) wrong.push(`${name} is neither the old one nor a new one`);
    }
    const report = text('ERIK_HALT.md');
    if (text('TASK_CONTRACT.json.lock') !== undefined && report === undefined)
      wrong.push('the contract is locked without a halt report');
    const must =
      told.get(loss.done) ?? toldBefore(diskAfter(recording, { done: loss.done, fates: new Map() }, only), handoff);
    told.set(loss.done, must);
    const seen = story(disk);
    if (seen === undefined) return must === 0 ? wrong : [...wrong, 'there is no journal, but an entry was told'];
    if (seen.broken !== undefined) wrong.push(`the journal is broken at entry ${seen.broken}`);
    if (seen.rows.some(({ hash }, at) => rows[at]?.hash !== hash)) wrong.push('the journal tells another story');
    if (seen.rows.length < must) wrong.push('the journal ends before an entry that was told');
    return [...wrong, ...contractFaults(seen, text)];
  };
  return { matters, faults };
}

/** A contract that andon shows is what the journal makes of it, now or one transition ago; or the one that you dropped. */
function contractFaults({ rows }: Story, text: (name: string) => string | undefined): readonly string[] {
  const entries = rows.filter(({ taskId }) => taskId === TASK).map(({ entry }) => entry);
  const record = foldJournal(entries);
  return ['TASK_CONTRACT.json', 'TASK_CONTRACT.json.lock'].flatMap((name) => {
    const found = text(name);
    if (found === undefined) return [];
    const parsed = parseContract(found);
    if (!parsed.ok) return [`${name} cannot be read`];
    if (record === undefined)
      return 'history' in (JSON.parse(found) as object) ? [`${name} is ahead of the journal`] : [];
    const services = { journal: { entries: () => entries }, digest } as unknown as Services;
    return isOurs(services, TASK, found) ? [] : [`${name} is not what the journal makes of it`];
  });
}

/** Every text that each paper ever was as a whole: as it came under its name, and as it was left. */
function wholeTexts(recording: Recording, handoff: string): ReadonlyMap<string, Set<string>> {
  const whole = new Map<string, Set<string>>();
  const disk = new Disk(recording.first);
  const note = (name: string): void => {
    const base = name.slice(name.lastIndexOf('/') + 1);
    whole.set(base, (whole.get(base) ?? new Set()).add(digest(disk.read(`${handoff}/${name}`)?.toString() ?? '')));
  };
  for (const { effect, say, byHand } of recording.effects) {
    disk.apply(effect);
    const came = effect.kind === 'names' && /^(?:rename|link)/.test(say) ? effect.names.map(({ is }) => is) : [];
    const ids = byHand && effect.kind === 'data' ? [effect.file] : came;
    if (ids.length > 0)
      papersOf(disk, handoff)
        .filter((name) => ids.includes(disk.find(`${handoff}/${name}`)))
        .forEach(note);
  }
  return whole;
}

/** Papers in `_handoff/` and its archive; what is being written beside its place is none yet. */
const papersOf = (disk: Disk, handoff: string, below = ''): readonly string[] =>
  disk.names(`${handoff}/${below}`).flatMap((name) => {
    const path = below === '' ? name : `${below}/${name}`;
    const kind = disk.things.get(disk.find(`${handoff}/${path}`) ?? -1)?.kind;
    if (kind === 'folder') return papersOf(disk, handoff, path);
    return kind !== 'file' || name.endsWith('.tmp') ? [] : [path];
  });

/** A log has the lines it was told, in order; only its last one may be torn. */
function tornLines(found: string, all: string): readonly string[] {
  const lines = found.split('\n');
  const isLog = lines.every(
    (line, at) => all.split('\n')[at] === line || (at === lines.length - 1 && all.includes(line)),
  );
  return isLog || isTornTail(found, all) ? [] : ['transition.ndjson is torn in its middle'];
}

/** A last line of which a part came to the disk as zeros. */
const isTornTail = (found: string, all: string): boolean => {
  const cut = found.slice(0, found.lastIndexOf('\n', found.length - 2) + 1);
  return all.startsWith(cut) && found.length <= all.length && /\0/.test(found.slice(cut.length));
};

/** The last sequence number that `transition.ndjson` told before a power loss. */
function toldBefore(disk: Disk, handoff: string): number {
  const lines = (disk.read(`${handoff}/transition.ndjson`)?.toString() ?? '').split('\n');
  const row = JSON.parse(lines.findLast((line) => line.endsWith('}')) ?? '{}') as { sequence?: number };
  return row.sequence ?? 0;
}

/** The effects on papers and journal, and on the names under which they are found. */
function mattering({ effects, first }: Recording, handoff: string, state: string): (at: number) => boolean {
  const disk = new Disk(first);
  const inside = new Set<number>();
  const named = new Set<number>();
  const isMatter = effects.map(({ effect }) => {
    disk.apply(effect);
    for (const folder of ['', 'queue', 'archive', `archive/${TASK}`])
      for (const name of ['', ...disk.names(`${handoff}/${folder}`)])
        inside.add(disk.find(`${handoff}/${folder}/${name}`) ?? -1);
    for (const name of JOURNAL) inside.add(disk.find(`${state}/${name}`) ?? -1);
    for (const path of [handoff, state, dirname(state), dirname(dirname(state))]) named.add(disk.find(path) ?? -1);
    if (effect.kind === 'sync') return inside.has(effect.thing);
    if (effect.kind !== 'names') return inside.has(effect.file);
    return effect.names.some(
      ({ folder, name, is }) =>
        inside.has(folder) ||
        (is !== undefined && named.has(is)) ||
        (folder === disk.find(state) && JOURNAL.includes(name)),
    );
  });
  return (at) => isMatter[at] === true;
}

/** What the product reads from the journal of a disk, opened as at a start; undefined where there is none. */
function storyOf(disk: Disk, state: string, scratch: string): Story | undefined {
  if (disk.read(`${state}/journal.sqlite`) === undefined) return undefined;
  for (const name of [...JOURNAL, 'journal.sqlite-shm']) {
    rmSync(join(scratch, name), { force: true });
    const bytes = disk.read(`${state}/${name}`);
    if (bytes !== undefined) writeFileSync(join(scratch, name), bytes);
  }
  try {
    const journal = openJournal(join(scratch, 'journal.sqlite'));
    try {
      return { broken: journal.verify(), rows: journal.since(0) };
    } finally {
      journal.close();
    }
  } catch (error) {
    if (error instanceof Problem) return { broken: 0, rows: [] };
    throw error;
  }
}

const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
