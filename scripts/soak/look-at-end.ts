import { execFileSync } from 'node:child_process';
import { readJournal } from '../../src/line/journal/open-journal.ts';
import { loadWorkspace } from '../../src/project/workspace/load-workspace.ts';
import { openForReading } from '../../src/project/workspace/open-reader.ts';
import { verify } from '../../src/line/upkeep/verify.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import { foldJournal } from '../../src/line/core/fold-journal.ts';
import { lifeOf, numberOf, taskId } from './lives.ts';
import type { Stage } from './stage.ts';

/** What the repositories and journals say when all is over. */
export interface Ends {
  readonly steps: number;
  readonly entries: number;
  readonly tasks: number;
  readonly merged: number;
  readonly abandoned: number;
  /** Calls that a stop or a kill cut off. */
  readonly interrupted: number;
  /** One sentence for everything that is not as scripted, by the bound that it breaks. */
  readonly wrong: Readonly<Record<'tasks' | 'merges' | 'journals', readonly string[]>>;
}

/** Reads every journal and every branch with fresh eyes and compares them with the script. */
export async function lookAtEnd({ folders, env }: Stage): Promise<Ends> {
  const wrong = { tasks: [] as string[], merges: [] as string[], journals: [] as string[] };
  const sum = { steps: 0, entries: 0, tasks: 0, merged: 0, abandoned: 0, interrupted: 0 };
  for (const [project, folder] of folders.entries()) {
    const place = await loadWorkspace(folder, env);
    const journal = readJournal(place);
    if (journal === undefined) continue; // its turn never came
    const verified = await verify(journal, await openForReading(place));
    if (verified.brokenAt !== undefined) wrong.journals.push(`${folder}: broken at entry ${verified.brokenAt}`);
    wrong.journals.push(...verified.discrepancies.map(({ taskId: id, what }) => `${folder}: ${id}: ${what}`));
    const merges = mergesIn(folder, env);
    const ids = journal.taskIds();
    for (const [at, id] of ids.entries()) {
      const entries = journal.entries(id);
      const record = foldJournal(entries);
      const expected = taskId(project, at + 1);
      if (id !== expected) wrong.tasks.push(`${folder}: ${id} is where ${expected} should be`);
      const moved = entries.filter(({ kind }) => kind === 'moved').length;
      const why = whyNotAsScripted(id, record, moved);
      if (why !== undefined) wrong.tasks.push(`${folder}: ${id} ${why}`);
      const times = merges.filter((merged) => merged === id).length;
      if (times !== (record?.status === 'merged' ? 1 : 0))
        wrong.merges.push(`${folder}: ${id} (${record?.status}) was merged ${times} times`);
      sum.steps += moved;
      sum.interrupted += entries.filter(({ kind }) => kind === 'interrupted').length;
      if (record?.status === 'merged') sum.merged += 1;
      if (record?.status === 'abandoned') sum.abandoned += 1;
    }
    const unknown = merges.filter((id) => !ids.includes(id) || Number.isNaN(numberOf(id)));
    wrong.merges.push(...unknown.map((id) => `${folder}: ${id} was merged and is in no journal`));
    sum.entries += verified.entries;
    sum.tasks += ids.length;
    journal.close();
  }
  return { ...sum, wrong };
}

function whyNotAsScripted(id: string, record: TaskRecord | undefined, moved: number): string | undefined {
  const { ends, transitions, path } = lifeOf(id);
  if (record?.status !== ends) return `is ${record?.status}, not ${ends}`;
  if (moved !== transitions) return `took ${moved} transitions, not ${transitions}`;
  const halts = path === undefined ? 0 : 1;
  return record.halts === halts ? undefined : `halted ${record.halts} times, not ${halts}`;
}

/** The tasks that the target branch says were merged, as often as it says so. */
export function mergesIn(folder: string, env: Stage['env']): readonly string[] {
  const format = '--format=%(trailers:key=Andon-Task,valueonly)';
  const args = ['-C', folder, 'log', '--merges', format, 'refs/heads/main', '--'];
  const rows = execFileSync('git', args, { env, encoding: 'utf8', maxBuffer: 1e9 }).split('\n');
  return rows.map((row) => row.trim()).filter((row) => row !== '');
}
