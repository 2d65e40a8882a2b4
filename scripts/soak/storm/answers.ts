import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../../src/project/workspace/load-workspace.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import { haltReach, type Halt } from '../../../src/line/record/trip.ts';
import { FILES, HANDOFF } from '../../../src/base/names.ts';
import { lifeOf } from '../lives.ts';
import type { Seeded } from './seeded.ts';

/** Maximum answered halts of one task before it is given up. */
const MOST_HALTS = 8;
/** A halt of one task is answered so late at most, that of the whole line sooner; one that was answered again after so long. */
const LATE_MS = 4000;
const SOON_MS = 300;
const AGAIN_MS = 3000;

/** The human who answers halts when it suits him: in any order, by a command or `DECISION.json`. */
export class Answers {
  readonly #place: Workspace;
  readonly #seeded: Seeded;
  readonly #due = new Map<string, number>();
  readonly #answered = new Set<string>();

  constructor(place: Workspace, seeded: Seeded) {
    [this.#place, this.#seeded] = [place, seeded];
  }

  /** Answers one due halt; returns false without one. `isHurried`: it is late, and nothing is put off. */
  async answer(halted: readonly TaskRecord[], isHurried: boolean, isStill: () => boolean): Promise<boolean> {
    const record = halted.find((one) => one.halt !== undefined && this.#isDue(one.halt, isHurried));
    if (record?.halt === undefined) return false;
    const { halt } = record;
    this.#due.set(halt.id, performance.now() + AGAIN_MS);
    const isAgain = this.#answered.has(halt.id);
    this.#answered.add(halt.id);
    if (isAgain || record.halts > MOST_HALTS || !this.#inWriting(record, halt))
      await this.#byCommand(record, halt, isStill);
    return true;
  }

  #isDue(halt: Halt, isHurried: boolean): boolean {
    const due = this.#due.get(halt.id);
    if (due !== undefined) return performance.now() >= due;
    const most = isHurried || haltReach(halt) === 'line' ? SOON_MS : LATE_MS;
    this.#due.set(halt.id, performance.now() + this.#seeded.below(most));
    return false;
  }

  async #byCommand({ taskId, halts }: TaskRecord, halt: Halt, isStill: () => boolean): Promise<void> {
    const by = 'a human';
    const path = lifeOf(taskId).path ?? 1;
    await this.#place.requests.ask(
      halts > MOST_HALTS
        ? { do: 'abandon', taskId, by }
        : { do: 'resume', taskId, path, haltId: halt.id, confirm: taskId, reason: 'a storm', by, how: 'storm' },
      5000,
      isStill,
    );
  }

  /** By `DECISION.json`, in `_handoff/` or beside the report, where this halt can be answered so; false when it is not. */
  #inWriting({ taskId }: TaskRecord, halt: Halt): boolean {
    const number = lifeOf(taskId).path ?? 1;
    const path = halt.paths[number - 1];
    if (path?.typed === true || path?.reasoned === true) return false;
    const aside = `${FILES.tasks}/${taskId}`;
    const way = this.#seeded.below(4);
    const isAside = way < 2 && existsSync(this.#file(aside));
    const file = isAside ? `${aside}/${FILES.decision}` : FILES.decision;
    if (way === 3 || existsSync(this.#file(file))) return false;
    this.#write(file, JSON.stringify({ task_id: taskId, halt: halt.id, path: number, nonce: halt.nonce }));
    return true;
  }

  /** As an editor does that writes beside and renames. */
  #write(name: string, text: string): void {
    const beside = this.#file('.answer.tmp');
    writeFileSync(beside, text);
    renameSync(beside, this.#file(name));
  }

  #file(name: string): string {
    return join(this.#place.facts.root, HANDOFF, name);
  }
}
