import { readDecision, readDecisionTask, type DecisionFile, type WrittenAnswer } from '../../record/decision.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HUMAN } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { foldJournal } from '../../line/record.ts';
import { nameAnswer, type HaltChoice } from './check-choice.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { Problem } from '../../base/problem.ts';
import type { Needs, Services } from '../../wiring/services.ts';

/** A choice, or why the file is refused; undefined for a missing or unfinished file, or one for the floor manager. */
type Reading = Outcome<HaltChoice | undefined, string>;

/** Reads `DECISION.json` as the answer to a halt. A file that counts for no halt is refused once, in words. */
export class HaltDecisionReader {
  private readonly services: Needs<'clock' | 'handoff' | 'journal' | 'say'>;
  private readonly file: DebouncedFile;
  /** What the file held before the active task halted: then it was about a report. */
  private beforeHalt: string | undefined;
  private halts = '';
  private hadStop = false;
  /** The task that a refusal is noted for. */
  private subject: string | undefined;

  constructor(services: Needs<'clock' | 'handoff' | 'journal' | 'say'>) {
    this.services = services;
    this.file = new DebouncedFile(services, FILES.decision);
  }

  /** Milliseconds until a file that was just written may count; undefined when none was. */
  get settlesIn(): number | undefined {
    return this.file.settlesIn;
  }

  /** The choice that the file makes at a halt of the active task or of a parked one, once it has settled. */
  read(active: LineRecord | undefined, parked: readonly LineRecord[]): HaltChoice | undefined {
    this.file.poll();
    if (active?.halt === undefined) this.beforeHalt = this.file.text;
    const records = active === undefined ? parked : [active, ...parked];
    this.retryAfterChange(records);
    if (!this.file.isSettled || this.file.isRefused) return undefined;
    this.subject = active?.taskId;
    const decision = this.parse();
    if (active !== undefined && waitsForFloorManager(active) && !isForAnotherHalt(decision, active)) return undefined;
    const reading = decision.ok ? this.readingOf(decision.value, active, records) : decision;
    if (reading.ok) return reading.value;
    this.refuse(reading.why);
    return undefined;
  }

  /** Logs once why the file has no effect, with the remedy. */
  refuse(why: unknown): void {
    this.file.refuse();
    const reason = why instanceof Error ? why.message : String(why);
    const remedy = why instanceof Problem ? `; ${why.remedy}` : '';
    const text = `${this.services.handoff.shown(FILES.decision)} does not count: ${toTerminalLine(`${reason}${remedy}`, 600)}`;
    this.services.say({ kind: 'word', level: 'warn', text });
    this.note(withoutSecrets(text));
  }

  /** A refused file is read again at another halt, and once `STOP` is gone. */
  private retryAfterChange(records: readonly LineRecord[]): void {
    const halts = records.map(({ halt }) => halt?.id ?? '').join(' ');
    const hasStop = this.services.handoff.exists(FILES.stop);
    const isNew = records.some(({ halt }) => halt !== undefined && !this.halts.split(' ').includes(halt.id));
    if (isNew || (this.hadStop && !hasStop)) this.file.forget();
    this.halts = halts;
    this.hadStop = hasStop;
  }

  private parse(): Outcome<DecisionFile | undefined, string> {
    const { text, unreadable, isFinished } = this.file;
    if (text === undefined) return failure(`it ${unreadable ?? 'is missing'}`);
    const read = readDecision(text);
    if (read.ok) return read;
    return read.why.unfinished && !isFinished ? success(undefined) : failure(read.why.why);
  }

  private readingOf(
    decision: DecisionFile | undefined,
    active: LineRecord | undefined,
    records: readonly LineRecord[],
  ): Reading {
    if (decision === undefined) return success(undefined);
    const record = records.find(({ taskId }) => taskId === readDecisionTask(decision));
    if (record === undefined) return this.aboutAnother(decision, active);
    this.subject = record.taskId;
    if (decision.about === 'halt')
      return record.halt === undefined
        ? failure(whyTooLate(record, decision.answer.halt))
        : success(choiceOf(decision.answer));
    const isManaged = record.contract.roles.floorManager === HUMAN;
    if (record.halt === undefined) return isManaged ? success(undefined) : failure(BUILT_IN);
    if (isManaged && this.file.text === this.beforeHalt) return success(undefined);
    return failure(
      `it decides on a report (\`decision\`), but the line is halted: answer with \`halt\` and \`path\`, as ${this.services.handoff.shown(FILES.halt)} shows`,
    );
  }

  /** About a task that is not on the line. Without an active task, a decision on a report may be for a task to come. */
  private aboutAnother(decision: DecisionFile, active: LineRecord | undefined): Reading {
    const id = readDecisionTask(decision);
    const named = toTerminalLine(id, 80);
    const status = foldJournal(this.services.journal.entries(id))?.status;
    if (status !== undefined) return failure(`it is about ${named}, which is ${status}`);
    if (active !== undefined) return failure(`no task ${named} is on the line; ${active.taskId} is`);
    return decision.about === 'halt' ? failure('no task is on the line') : success(undefined);
  }

  /** A person who answers by file may never see the daemon's terminal, so `status` and `logs` show the refusal too. */
  private note(text: string): void {
    const { journal, clock } = this.services;
    if (this.subject === undefined) return;
    const entries = journal.entries(this.subject);
    const last = entries.findLastIndex(({ kind }) => kind === 'moved' || kind === 'admitted');
    if (entries.slice(last).some((entry) => entry.kind === 'remark' && entry.text === text)) return;
    journal.append(this.subject, [{ kind: 'remark', at: clock.now(), text, refused: true }]);
  }
}

const BUILT_IN =
  'the built-in policy decides on reports (`"floor_manager": "human"` in the roles of the contract leaves it to you)';

/** Whether the file is read by the step that waits for a person's decision on a report. */
const waitsForFloorManager = ({ halt, contract }: LineRecord): boolean =>
  halt === undefined && contract.roles.floorManager === HUMAN;

const isForAnotherHalt = (decision: Outcome<DecisionFile | undefined, string>, { taskId }: LineRecord): boolean =>
  decision.ok && decision.value?.about === 'halt' && readDecisionTask(decision.value) !== taskId;

const whyTooLate = ({ taskId, lastChoice }: LineRecord, halt: string): string =>
  lastChoice?.halt === halt
    ? `halt ${halt} was answered already, with ${nameAnswer(lastChoice)} by ${lastChoice.by}`
    : `${taskId} is not halted`;

const choiceOf = (answer: WrittenAnswer): HaltChoice => ({
  taskId: answer.task_id,
  path: answer.path,
  comments: answer.comments,
  haltId: answer.halt,
  tree: answer.tree,
  contractDigest: answer.contract_digest,
  file: { nonce: answer.nonce },
  confirm: answer.confirm,
  by: answer.by === undefined ? 'a human' : toTerminalLine(answer.by, 80),
  how: FILES.decision,
  say: answer.say,
  allow: answer.allow,
  model: answer.model,
  budget_usd: answer.budget_usd,
  max_diff: answer.max_diff,
  reason: answer.reason === undefined || answer.reason.trim() === '' ? undefined : toTerminalLine(answer.reason, 500),
});

/** An editor that saves in pieces needs a few milliseconds between two of them. */
const SETTLE_MS = 100;
/** A text that ends too early may still be being written for this long. */
const UNFINISHED_MS = 2000;

/** A file in `_handoff/` that a person writes, seen over several polls: it counts once it has stayed the same for a moment. */
class DebouncedFile {
  text: string | undefined;
  /** Why it cannot be read: a link, a folder. */
  unreadable: string | undefined;
  isSettled = false;
  private readonly handoff: Services['handoff'];
  private readonly name: string;
  private seen: string | undefined;
  private since = 0;
  private refused: string | undefined;

  constructor({ handoff }: Needs<'handoff'>, name: string) {
    this.handoff = handoff;
    this.name = name;
  }

  poll(): void {
    const read = this.handoff.read(this.name);
    this.text = read.ok ? read.value : undefined;
    this.unreadable = read.ok ? undefined : read.why;
    const now = this.text ?? (read.ok ? undefined : `\u0000${read.why}`);
    if (now !== this.seen) this.since = performance.now();
    this.seen = now;
    this.isSettled = now !== undefined && this.age >= SETTLE_MS;
    if (now === undefined) this.refused = undefined;
  }

  /** Marks what the file says now as refused. */
  refuse(): void {
    this.refused = this.seen;
  }

  /** Lets what was refused be read again. */
  forget(): void {
    this.refused = undefined;
  }

  get isRefused(): boolean {
    return this.seen !== undefined && this.seen === this.refused;
  }

  /** Whether it has stayed the same for so long that its writer has finished. */
  get isFinished(): boolean {
    return this.age >= UNFINISHED_MS;
  }

  /** Milliseconds until the next poll can find it settled; undefined when it is, or is missing. */
  get settlesIn(): number | undefined {
    if (this.seen === undefined || this.isSettled) return undefined;
    return this.age < SETTLE_MS ? SETTLE_MS - this.age : SETTLE_MS;
  }

  private get age(): number {
    return performance.now() - this.since;
  }
}
