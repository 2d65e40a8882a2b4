import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readJournal } from '../../../src/line/journal/open-journal.ts';
import { loadWorkspace } from '../../../src/project/workspace/load-workspace.ts';
import { openForReading } from '../../../src/project/workspace/open-reader.ts';
import { verify } from '../../../src/line/upkeep/verify.ts';
import { FILES, HANDOFF, TERMINAL } from '../../../src/base/names.ts';
import { foldJournal } from '../../../src/line/core/fold-journal.ts';
import { ledgerFaults, type Told } from '../ledger-agrees.ts';
import type { Stage } from '../stage.ts';
import type { User } from './user.ts';

/** What was counted in all repositories while nothing ran. */
export interface Look {
  readonly tasks: number;
  readonly merged: number;
  readonly abandoned: number;
  readonly halts: number;
  /** Times at which a halted task was put aside. */
  readonly parked: number;
  readonly wrong: readonly string[];
}

/** Holds repositories, by their numbers, to what must always be so while nothing runs there; at the end no task may be under way any more. */
export async function look(
  { folders, env }: Stage,
  users: readonly User[],
  { numbers, isEnd }: { readonly numbers: readonly number[]; readonly isEnd: boolean },
): Promise<Look> {
  const wrong: string[] = [];
  const sum = { tasks: 0, merged: 0, abandoned: 0, halts: 0, parked: 0 };
  const told: Told[] = [];
  for (const at of numbers) {
    const [folder = '', user] = [folders[at], users[at]];
    wrong.push(...(user?.wrong() ?? []));
    const place = await loadWorkspace(folder, env);
    const journal = readJournal(place);
    if (journal === undefined) continue;
    const verified = await verify(journal, await openForReading(place));
    if (verified.brokenAt !== undefined) wrong.push(`${folder}: the journal is broken at entry ${verified.brokenAt}`);
    wrong.push(...verified.discrepancies.map(({ taskId, what }) => `${folder}: ${taskId}: ${what}`));
    const merges = user?.merges() ?? [];
    const ids = journal.taskIds();
    for (const id of ids) {
      const entries = journal.entries(id);
      const record = foldJournal(entries);
      const times = merges.filter((one) => one === id).length;
      const isOver = record !== undefined && TERMINAL.includes(record.status);
      const wanted = record?.status === 'merged' ? 1 : 0;
      // A merge that a kill cut off before its entry is found by the next start.
      if (isOver ? times !== wanted : times > 1)
        wrong.push(`${folder}: ${id} (${record?.status}) was merged ${times} times`);
      if (isEnd && !isOver)
        wrong.push(
          `${folder}: ${id} never ended, it is ${record?.status} (${record?.halt?.trip.breaker ?? 'no halt'}: ${record?.halt?.trip.reason ?? ''})`,
        );
      sum.halts += record?.halts ?? 0;
      sum.parked += entries.filter(({ kind }) => kind === 'parked').length;
      if (record?.status === 'merged') sum.merged += 1;
      if (record?.status === 'abandoned') sum.abandoned += 1;
    }
    wrong.push(
      ...merges.filter((id) => !ids.includes(id)).map((id) => `${folder}: ${id} was merged and is in no journal`),
    );
    sum.tasks += ids.length;
    told.push({ state: basename(place.state), tasks: ids.map((id) => [id, journal.entries(id)]) });
    if (isEnd) wrong.push(...leftIn(folder));
    journal.close();
  }
  wrong.push(...ledgerFaults(join(env['XDG_STATE_HOME'] ?? '', 'andon'), told, { isEnd }));
  return { ...sum, wrong };
}

/** Papers that lie there although no task is open. */
function leftIn(folder: string): readonly string[] {
  const at = (name: string): string => join(folder, HANDOFF, name);
  const aside = existsSync(at(FILES.tasks)) ? readdirSync(at(FILES.tasks)).map((id) => `${FILES.tasks}/${id}`) : [];
  const papers = [FILES.contract, FILES.lock, FILES.halt].filter((name) => existsSync(at(name)));
  return [...aside, ...papers].map((name) => `${folder}: ${name} is there, and no task is open`);
}
