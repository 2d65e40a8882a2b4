import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { ledgerFaults, type Told } from '../../scripts/soak/ledger-agrees.ts';
import type { JournalEntry } from '../../src/line/record/journal-entry.ts';
import type { Factory } from '../support/factory.ts';

/** What two lives of the same kind must have in common, whatever happened to one of them. */
export interface End {
  /** The files of the target branch. */
  readonly tree: string;
  /** Each merge by what its two parents hold. */
  readonly merges: readonly string[];
  /** Index, edits and other files of yours. */
  readonly checkout: string;
  readonly stash: string;
  readonly archived: readonly string[];
}

/** How a life ended, in terms that do not depend on its times. */
export function endOf(factory: Factory): End {
  const tree = (commit: string): string => factory.git('rev-parse', `${commit}^{tree}`);
  return {
    tree: tree('main'),
    merges: factory.merges().map((merge) => `${tree(merge)} of ${tree(`${merge}^1`)} and ${tree(`${merge}^2`)}`),
    checkout: [
      factory.git('symbolic-ref', 'HEAD'),
      factory.git('ls-files', '--stage'),
      factory.git('status', '--porcelain', '--ignored', '--untracked-files=all', '--', '.', ':(exclude)_handoff'),
      factory.git('diff'),
    ].join('\n'),
    stash: factory.git('stash', 'list', '--format=%T'),
    archived: readdirSync(join(factory.handoff, 'archive/DOC-001')).toSorted(),
  };
}

/** The transitions that scripts were told, in one line each. */
export const transitionsOf = (factory: Factory): readonly string[] =>
  (factory.paper('transition.ndjson') ?? '').split('\n').filter((line) => isWhole(line));

/** What is not as it must be after every life. */
export async function faultsOf(
  factory: Factory,
  before: Readonly<Record<string, string>>,
  told: readonly string[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const verified = await factory.andon('verify');
  if (verified.code !== 0) wrong.push(`andon doctor --journal: ${verified.stdout}${verified.stderr}`);
  try {
    factory.git('fsck', '--strict');
    execFileSync('git', ['fsck', '--strict'], { cwd: join(stateOf(factory), 'vault.git'), stdio: 'pipe' });
  } catch (error) {
    wrong.push(`git fsck: ${String(error)}`);
  }
  const now = factory.snapshot();
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)]))
    if (before[name] !== now[name] && !MAY_MOVE.test(name)) wrong.push(`${name} of the checkout is not what it was`);
  wrong.push(...transitionFaults(factory, told), ...ledgerFaultsOf(factory));
  for (let tries = 1; factory.processes().length > 0; tries += 1) {
    if (tries === 50)
      return [
        ...wrong,
        `left running: ${factory
          .processes()
          .map(({ command }) => command.slice(0, 100))
          .join(', ')}`,
      ];
    await sleep(20);
  }
  return [...wrong, ...strays(factory)];
}

/** What a fast-forward moves in a checkout. */
const MAY_MOVE = /^(?:\.git\/(?:index|logs\/HEAD|logs)|TODO\.md|docs\/auth_final\.md|notes\/DOC-\d+\/note\.md)$/;

interface Row {
  readonly task_id: string;
  readonly old_status: string;
  readonly new_status: string;
  readonly sequence: number;
}

/** Every transition is told once and in order, those before a crash too. */
function transitionFaults(factory: Factory, told: readonly string[]): readonly string[] {
  const text = factory.paper('transition.ndjson') ?? '';
  const lines = transitionsOf(factory);
  const torn = text.split('\n').filter((line) => line !== '' && !isWhole(line));
  const lost = told.filter((line) => !lines.includes(line));
  const rows = lines.map((line) => JSON.parse(line) as Row);
  const gaps = rows.flatMap(({ task_id: task, old_status: from, sequence }, at) => {
    const last = rows.slice(0, at).findLast((row) => row.task_id === task);
    const isNext = last === undefined || (last.new_status === from && last.sequence < sequence);
    return isNext && (rows[at - 1]?.sequence ?? 0) < sequence ? [] : [`${task}: ${last?.new_status} -> ${from}`];
  });
  const moved = journalTransitions(factory);
  return [
    ...(torn.length > 1 ? [`transition.ndjson has ${torn.length} torn lines`] : []),
    ...lost.map((line) => `a transition that was told is gone: ${line}`),
    ...gaps.map((gap) => `transition.ndjson has a gap: ${gap}`),
    ...(moved === rows.length ? [] : [`the journal holds ${moved} transitions, transition.ndjson ${rows.length}`]),
  ];
}

function journalTransitions(factory: Factory): number {
  return entriesIn(stateOf(factory)).filter(({ entry }) => entry.kind === 'moved').length;
}

/** Every call is in the user's ledger once, and settled. */
function ledgerFaultsOf(factory: Factory): readonly string[] {
  return ledgerFaults(join(factory.folder, 'state/andon'), [toldIn(stateOf(factory))]);
}

/** What the journal of a state folder holds, for whoever compares it with the ledger. */
export function toldIn(state: string): Told {
  const entries = entriesIn(state);
  const tasks = [...new Set(entries.map(({ task }) => task))];
  return {
    state: basename(state),
    tasks: tasks.map((id) => [id, entries.flatMap(({ task, entry }) => (task === id ? [entry] : []))]),
  };
}

function entriesIn(state: string): readonly { readonly task: string; readonly entry: JournalEntry }[] {
  const db = new DatabaseSync(join(state, 'journal.sqlite'), { readOnly: true });
  const rows = db.prepare('SELECT task_id AS task, body FROM entries ORDER BY seq').all() as {
    task: string;
    body: string;
  }[];
  db.close();
  return rows.map(({ task, body }) => ({ task, entry: JSON.parse(body) as JournalEntry }));
}

/**
 * Files that only a crash leaves. What git itself had half made of an object in your repository may stay there: nobody
 * but that git knows whose it is, a name like `tmp_obj_a1b2c3` may belong to a git of yours that runs now, and git clears
 * it away in its own time (`git gc`); so it must be gone once git was asked to. What andon makes there has a longer name,
 * which is its own, and must be gone at the next start.
 */
function strays(factory: Factory): readonly string[] {
  factory.git('prune', '--expire=now');
  const papers = [
    'TASK_CONTRACT.json',
    'TASK_CONTRACT.json.lock',
    'ERIK_HALT.md',
    'REVIEW_REQUEST.md',
    'REVIEW_IN_PROGRESS.md',
  ];
  const left = filesIn(factory.folder).filter(
    (path) =>
      // What a stand-in was asked is the stand-in's own file.
      !path.startsWith('agents/') &&
      (/\.tmp$|\.lock$|tmp_obj_|\.json\.\d+|alternates\.\d+|vault\.git\.|rules\.\w{6}\//.test(path) ||
        // An answer that a dead command has not fetched goes after a minute.
        /^state\/andon\/repositories\/[^/]+\/(?:forward.json|(?:running|requests|trees|desks|judging|examining)\/)(?!.*\.answer\.json$)/.test(
          path,
        )),
  );
  return [
    ...left.map((path) => `left behind: ${path}`),
    ...(existsSync(join(factory.handoff, 'tasks')) ? readdirSync(join(factory.handoff, 'tasks')) : []).map(
      (name) => `left behind: tasks/${name}`,
    ),
    ...papers.filter((name) => existsSync(join(factory.handoff, name))).map((name) => `left behind: ${name}`),
  ];
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** The state folder of the one repository. */
export function stateOf(factory: Factory): string {
  const repositories = join(factory.folder, 'state/andon/repositories');
  return join(repositories, readdirSync(repositories)[0] ?? '');
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
