import type { LineRecord } from '../../record/line-record.ts';
import { FILES } from '../../base/names.ts';
import type { Halt } from '../../record/trip.ts';
import { isUntouchedPage, withOthers } from '../../line/documents/other-halts.ts';
import { haltInHead, readTicks, taskInHead } from '../../line/documents/ticks.ts';
import { foldSealed } from '../../line/record.ts';
import { haltReport } from '../documents/papers-of-halt.ts';
import { asideOf, subjectOf } from '../documents/papers-of.ts';
import { SeenPaper } from './seen-paper.ts';
import type { Services } from '../../wiring/services.ts';

/** A task with the halt that stands. */
interface Halted {
  readonly record: LineRecord;
  readonly halt: Halt;
}

/**
 * The two papers in `_handoff/` that everybody knows, while several halts stand: `ERIK_HALT.md` is the first one whole and
 * a list of the others, and what somebody ticks there, or writes into `DECISION.json`, is given to the task it is about.
 */
export class Overview {
  private readonly services: Services;
  private readonly page: SeenPaper;
  private readonly reports = new Map<string, string>();
  /** The page as andon wrote it last. */
  private last: string | undefined;
  private saidLate: string | undefined;
  private isFirst = true;

  constructor(services: Services) {
    this.services = services;
    this.page = new SeenPaper(services, FILES.halt);
  }

  /** Milliseconds until a tick on the page may count; undefined when none is waited for. */
  get settlesIn(): number | undefined {
    return this.page.text === this.last ? undefined : this.page.settlesIn;
  }

  /** Gives what was answered to the tasks that are parked; `parked` are those that may be answered. */
  forward(parked: readonly LineRecord[]): void {
    const { handoff } = this.services;
    const about = parked.length === 0 ? undefined : subjectOf(handoff, FILES.decision);
    if (about !== undefined && parked.some(({ taskId }) => taskId === about))
      handoff.rename(FILES.decision, asideOf(about, FILES.decision));
    this.page.look();
    const { text } = this.page;
    if (text === undefined || text === this.last || !this.page.isSettled) return;
    const ticked = readTicks(text);
    const record = parked.find(({ taskId }) => taskId === taskInHead(text));
    if (ticked === undefined || record === undefined) return;
    if (record.halt?.id !== haltInHead(text)) return this.sayLate(text, record);
    handoff.rename(FILES.halt, asideOf(record.taskId, FILES.halt));
    this.page.look();
  }

  /** Writes the page anew where it does not tell what stands. `front` is the halt in the place, if one stands there: its own report is written by others. */
  async show(front: LineRecord | undefined, parked: readonly LineRecord[]): Promise<void> {
    const { handoff } = this.services;
    const others = parked.flatMap(haltedOf);
    const [first] = front === undefined ? others : haltedOf(front);
    this.forget(front === undefined ? others : [...haltedOf(front), ...others]);
    const { text } = this.page;
    if (first === undefined) return this.takeAway(text);
    const report = await this.reportOf(first);
    const wanted = withOthers(
      report,
      (front === undefined ? others.slice(1) : others).map((one) => this.listed(one)),
    );
    if (text === wanted) this.last = wanted;
    if (text === wanted || !handoff.read(FILES.halt).ok) return;
    const isSame = (): boolean => {
      const now = handoff.read(FILES.halt);
      return now.ok && now.value === text;
    };
    if (front !== undefined) {
      // Its own report is written, and put back, by whoever looks after its halt.
      if (text !== undefined && isUntouchedPage(text, report) && handoff.write(FILES.halt, wanted, isSame))
        this.last = wanted;
      return;
    }
    if (text !== undefined && text !== this.last && !isUntouchedPage(text, report) && !this.setAside(text)) return;
    if (handoff.write(FILES.halt, wanted, () => isSame() || !handoff.exists(FILES.halt))) this.last = wanted;
  }

  /** No halt is left that the page could be about; a report that somebody wrote in is none of andon's pages. */
  private takeAway(text: string | undefined): void {
    const { handoff, journal } = this.services;
    if (text === undefined) this.last = undefined;
    const isOfBefore = this.isFirst && text !== undefined && isAnswered(journal.entries(taskInHead(text) ?? ''), text);
    this.isFirst = false;
    if (text === undefined || (text !== this.last && !isOfBefore)) return;
    if (handoff.take(FILES.halt, (found) => found === text)) this.last = undefined;
  }

  /** Keeps a page that andon did not write, or that somebody wrote in, once nobody has touched it for a while. */
  private setAside(text: string): boolean {
    const taskId = taskInHead(text) ?? 'unknown';
    const halt = haltInHead(text) ?? 'unknown';
    const isId = /^[\w-]+$/.test(taskId) && /^[\w-]+$/.test(halt);
    if (!this.page.isOld) return false;
    const kept = isId ? `${FILES.archive}/${taskId}/${halt}.copy.${FILES.halt}` : `${FILES.archive}/copy.${FILES.halt}`;
    return this.services.handoff.rename(FILES.halt, kept);
  }

  private listed({ record, halt }: Halted) {
    const { taskId } = record;
    return { taskId, halt, file: this.services.handoff.shown(asideOf(taskId, FILES.halt)) };
  }

  private async reportOf({ record, halt }: Halted): Promise<string> {
    const known = this.reports.get(halt.id);
    if (known !== undefined) return known;
    const sealed = foldSealed(this.services.journal.entries(record.taskId)) ?? record;
    const report = await haltReport(this.services, sealed, halt);
    this.reports.set(halt.id, report);
    return report;
  }

  private forget(standing: readonly Halted[]): void {
    for (const id of this.reports.keys()) if (!standing.some(({ halt }) => halt.id === id)) this.reports.delete(id);
  }

  private sayLate(text: string, { taskId, halt }: LineRecord): void {
    if (this.saidLate === text) return;
    this.saidLate = text;
    const now = halt === undefined ? `${taskId} is not halted` : `${halt.id} stands now`;
    const what = `the tick in ${this.services.handoff.shown(FILES.halt)} does not count: it is about ${haltInHead(text) ?? 'no halt'}; ${now}`;
    this.services.say({ kind: 'word', level: 'warn', text: what });
  }
}

const haltedOf = (record: LineRecord): readonly Halted[] =>
  record.halt === undefined ? [] : [{ record, halt: record.halt }];

/** Whether a page is about a halt that was answered before this andon began. */
function isAnswered(entries: Parameters<typeof foldSealed>[0], text: string): boolean {
  const record = foldSealed(entries);
  const id = haltInHead(text);
  return record?.lastChoice?.halt === id && id !== undefined && readTicks(text) === undefined;
}
