import { readDecision, readDecisionTask, type DecisionFile, type WrittenAnswer } from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES, HUMAN } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { nameAnswer, type HaltChoice } from './check-choice.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { Problem } from '../../base/problem.ts';
import type { Needs } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** An editor that saves in pieces needs a few milliseconds between two of them. */
const SETTLE_MS = 100;
/** A text that ends too early may still be being written for this long. */
const UNFINISHED_MS = 2000;

/** A choice, or why the file is refused; undefined for a missing or unfinished file, or one for the floor manager. */
type Reading = Outcome<HaltChoice | undefined, string>;

/**
 * Reads `DECISION.json` as the answer to a halt. A file counts once it has stayed the same for a moment; one that counts
 * for no halt is refused once, in words.
 */
export class HaltDecisionReader {
  private readonly services: Needs<'clock' | 'handoff' | 'journal' | 'say'>;
  /** The text of the file, or why it cannot be read (a link, a folder), as of the last poll; undefined = it is missing. */
  private file: Outcome<string, string> | undefined;
  private since = 0;
  private isSettled = false;
  private refused: string | undefined;
  /** What the file held before the active task halted: then it was about a report. */
  private beforeHalt: string | undefined;
  private halts = '';
  private hadStop = false;
  /** The task that a refusal is noted for. */
  private subject: string | undefined;

  constructor(services: Needs<'clock' | 'handoff' | 'journal' | 'say'>) {
    this.services = services;
  }

  /** Milliseconds until a file that was just written may count; undefined when none was. */
  get settlesIn(): number | undefined {
    return this.file === undefined || this.isSettled ? undefined : Math.max(1, SETTLE_MS - this.age);
  }

  /** The choice that the file makes at a halt of the active task or of a parked one, once it has settled. */
  read(active: TaskRecord | undefined, parked: readonly TaskRecord[]): HaltChoice | undefined {
    const read = this.services.handoff.read(FILES.decision);
    const file = read.ok && read.value === undefined ? undefined : (read as Outcome<string, string>);
    if (contentOf(file) !== contentOf(this.file)) this.since = performance.now();
    this.file = file;
    if (active?.halt === undefined) this.beforeHalt = contentOf(file);
    const records = active === undefined ? parked : [active, ...parked];
    this.retryAfterChange(records);
    if (file === undefined) this.refused = undefined;
    this.isSettled = this.age >= SETTLE_MS;
    if (file === undefined || !this.isSettled || contentOf(file) === this.refused) return undefined;
    this.subject = active?.taskId;
    const decision = this.parse(file);
    if (active !== undefined && waitsForFloorManager(active) && !isForAnotherHalt(decision, active)) return undefined;
    const reading = decision.ok ? this.readingOf(decision.value, active, records) : decision;
    if (reading.ok) return reading.value;
    this.refuse(reading.why);
    return undefined;
  }

  /** Logs once why the file has no effect, with the remedy. */
  refuse(why: unknown): void {
    this.refused = contentOf(this.file);
    const reason = getErrorMessage(why);
    const remedy = why instanceof Problem ? `; ${why.remedy}` : '';
    const text = `${this.services.handoff.shown(FILES.decision)} does not count: ${toTerminalLine(`${reason}${remedy}`, 600)}`;
    this.services.say({ kind: 'word', level: 'warn', text });
    this.note(withoutSecrets(text));
  }

  /** A refused file is read again at another halt, and once `STOP` is gone. */
  private retryAfterChange(records: readonly TaskRecord[]): void {
    const halts = records.map(({ halt }) => halt?.id ?? '').join(' ');
    const hasStop = this.services.handoff.exists(FILES.stop);
    const isNew = records.some(({ halt }) => halt !== undefined && !this.halts.split(' ').includes(halt.id));
    if (isNew || (this.hadStop && !hasStop)) this.refused = undefined;
    this.halts = halts;
    this.hadStop = hasStop;
  }

  private get age(): number {
    return performance.now() - this.since;
  }

  private parse(file: Outcome<string, string>): Outcome<DecisionFile | undefined, string> {
    if (!file.ok) return failure(`it ${file.why}`);
    const read = readDecision(file.value);
    if (read.ok) return read;
    return read.why.unfinished && this.age < UNFINISHED_MS ? success(undefined) : failure(read.why.why);
  }

  private readingOf(
    decision: DecisionFile | undefined,
    active: TaskRecord | undefined,
    records: readonly TaskRecord[],
  ): Reading {
    if (decision === undefined) return success(undefined);
    const record = records.find(({ taskId }) => taskId === readDecisionTask(decision));
    if (record === undefined) return this.aboutAnother(decision, active);
    this.subject = record.taskId;
    if (decision.about === 'halt')
      return record.halt === undefined
        ? failure(explainLateDecision(record, decision.answer.halt))
        : success(choiceOf(decision.answer));
    const isManaged = record.contract.roles.floorManager === HUMAN;
    if (record.halt === undefined) return isManaged ? success(undefined) : failure(BUILT_IN);
    if (isManaged && contentOf(this.file) === this.beforeHalt) return success(undefined);
    return failure(
      `it decides on a report (\`decision\`), but the task is halted: answer with \`halt\` and \`path\`, as ${this.services.handoff.shown(FILES.halt)} shows`,
    );
  }

  /** About a task that is not on the line. Without an active task, a decision on a report may be for a task to come. */
  private aboutAnother(decision: DecisionFile, active: TaskRecord | undefined): Reading {
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

const contentOf = (file: Outcome<string, string> | undefined): string | undefined =>
  file === undefined || file.ok ? file?.value : `\u0000${file.why}`;

const BUILT_IN =
  'the built-in policy decides on reports (`"floor_manager": "human"` in the roles of the contract leaves it to you)';

/** Whether the file is read by the step that waits for a person's decision on a report. */
const waitsForFloorManager = ({ halt, contract }: TaskRecord): boolean =>
  halt === undefined && contract.roles.floorManager === HUMAN;

const isForAnotherHalt = (decision: Outcome<DecisionFile | undefined, string>, { taskId }: TaskRecord): boolean =>
  decision.ok && decision.value?.about === 'halt' && readDecisionTask(decision.value) !== taskId;

const explainLateDecision = ({ taskId, lastChoice }: TaskRecord, halt: string): string =>
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
  budget_minutes: answer.budget_minutes,
  max_diff: answer.max_diff_size ?? answer.max_diff,
  reason: answer.reason === undefined || answer.reason.trim() === '' ? undefined : toTerminalLine(answer.reason, 500),
});
