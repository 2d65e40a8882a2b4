import type { LineRecord } from '../../record/line-record.ts';
import { FILES } from '../../base/names.ts';
import type { Halt } from '../../record/trip.ts';
import { withOthers } from '../../line/documents/other-halts.ts';
import { foldSealed } from '../../line/record.ts';
import { haltReport } from '../documents/halt-papers.ts';
import { pathOfParked } from '../documents/parked-papers.ts';
import type { Needs } from '../../wiring/services.ts';

interface HaltedTask {
  readonly record: LineRecord;
  readonly halt: Halt;
}

/** Writes `_handoff/ERIK_HALT.md` for all halts: the first report whole, the others by name. It is never read back. */
export class HaltOverview {
  private readonly services: Needs<'handoff' | 'journal' | 'repository'>;
  /** The halts on the page, by id; undefined until the first look, when an earlier page may be left. */
  private shown: string | undefined;

  constructor(services: Needs<'handoff' | 'journal' | 'repository'>) {
    this.services = services;
  }

  /** Another writer has put the report of this halt there, alone. */
  noteReport(haltId: string): void {
    this.shown = haltId;
  }

  /** `active` gives the task in front, which may halt while the page is being made. */
  async show(active: () => LineRecord | undefined, parked: readonly LineRecord[]): Promise<void> {
    const { handoff, journal } = this.services;
    const [first, ...others] = [active(), ...parked].flatMap(haltedTask);
    const ids = [first, ...others].map((one) => one?.halt.id ?? '').join(' ');
    // A report of the task in front that was deleted is written again by `restoreHalt`, which says so.
    const isThere = active()?.halt !== undefined || handoff.exists(FILES.halt);
    if (this.shown === ids && isThere === (first !== undefined)) return;
    if (first === undefined) handoff.remove(FILES.halt);
    else {
      const { taskId } = first.record;
      const report = await haltReport(this.services, foldSealed(journal.entries(taskId)) ?? first.record, first.halt);
      const file = (id: string): string => handoff.shown(pathOfParked(id, FILES.halt));
      const page = withOthers(
        report,
        others.map(({ record, halt }) => ({ taskId: record.taskId, halt, file: file(record.taskId) })),
      );
      const front = active()?.halt;
      const isCurrent = (): boolean => front === undefined || front.id === first.halt.id;
      if (!handoff.write(FILES.halt, page, isCurrent)) return;
    }
    this.shown = ids;
  }
}

const haltedTask = (record: LineRecord | undefined): readonly HaltedTask[] =>
  record?.halt === undefined ? [] : [{ record, halt: record.halt }];
