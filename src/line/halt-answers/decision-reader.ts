import {
  readDecision,
  readDecisionTask,
  type DecisionFile,
  type WrittenAnswer,
  type WrittenDecision,
} from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES, HUMAN } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { checkHumanDecision, type FloorDecision } from '../core/decide-on-change.ts';
import { awaitsDecision, getReportNonce } from '../core/find-outside-wait.ts';
import { foldJournal } from '../core/fold-journal.ts';
import { nameAnswer, type HaltChoice } from './check-choice.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { Problem } from '../../base/problem.ts';
import type { Needs } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** A text that ends too early may still be being written for this long. */
const UNFINISHED_MS = 2000;

/** The choice of an answer to a halt, or why the file is refused; undefined for a file that may count later. */
type Reading = Outcome<HaltChoice | undefined, string>;

/**
 * Reads `DECISION.json`, which answers a halt or decides on a report in the floor manager's place. A file counts once its
 * JSON is whole. One that counts for nothing is refused in words, and again only where something else could be meant.
 */
export class DecisionReader {
  private readonly services: Needs<'clock' | 'handoff' | 'journal' | 'say'>;
  /** The text of the file, or why it cannot be read (a link, a folder), as of the last poll; undefined = it is missing. */
  private file: Outcome<string, string> | undefined;
  private since = 0;
  /** The decision on a report in the file. */
  private onReport: WrittenDecision | undefined;
  /** The file with all that it could be meant for: halts, the report, a STOP. */
  private situation = '';
  private refusedIn: string | undefined;
  /** The task that a refusal is noted for. */
  private subject: string | undefined;

  constructor(services: Needs<'clock' | 'handoff' | 'journal' | 'say'>) {
    this.services = services;
  }

  /** Reads the file, and returns the choice that it makes at a halt of the active task or of a parked one. */
  poll(active: TaskRecord | undefined, parked: readonly TaskRecord[]): HaltChoice | undefined {
    const records = active === undefined ? parked : [active, ...parked];
    const { file } = this;
    this.file = this.load();
    if (contentOf(file) !== contentOf(this.file)) this.since = performance.now();
    this.onReport = undefined;
    this.subject = active?.taskId;
    const waiting = records.map((one) => one.halt?.id ?? (awaitsDecision(one) ? getReportNonce(one) : ''));
    const { handoff } = this.services;
    // The same answer, written again after its remedy was done, is another one.
    const writtenAt = handoff.namedAt(FILES.decision);
    this.situation = JSON.stringify([contentOf(this.file), writtenAt, handoff.exists(FILES.stop), waiting]);
    if (this.file === undefined) this.refusedIn = undefined;
    if (this.file === undefined || this.situation === this.refusedIn) return undefined;
    const decision = this.parse(this.file);
    const reading = decision.ok ? this.interpret(decision.value, active, records) : decision;
    if (reading.ok) return reading.value;
    this.refuse(reading.why);
    return undefined;
  }

  /** A person's decision on the report of this record; undefined without a valid one. */
  decisionOn(record: TaskRecord): FloorDecision | undefined {
    const checked = this.onReport === undefined ? undefined : checkHumanDecision(this.onReport, record);
    return typeof checked === 'string' ? undefined : checked;
  }

  /** Logs why the file has no effect, with the remedy. */
  refuse(why: unknown): void {
    this.refusedIn = this.situation;
    const reason = getErrorMessage(why);
    const remedy = why instanceof Problem ? `; ${why.remedy}` : '';
    const text = `${this.services.handoff.shown(FILES.decision)} does not count: ${toTerminalLine(`${reason}${remedy}`, 600)}`;
    this.services.say({ kind: 'word', level: 'warn', text });
    this.note(withoutSecrets(text));
  }

  private load(): Outcome<string, string> | undefined {
    const read = this.services.handoff.read(FILES.decision);
    if (!read.ok) return read;
    return read.value === undefined ? undefined : success(read.value);
  }

  private parse(file: Outcome<string, string>): Outcome<DecisionFile | undefined, string> {
    if (!file.ok) return failure(`it ${file.why}`);
    const read = readDecision(file.value);
    if (read.ok) return read;
    const isFresh = performance.now() - this.since < UNFINISHED_MS;
    return read.why.unfinished && isFresh ? success(undefined) : failure(read.why.why);
  }

  private interpret(
    file: DecisionFile | undefined,
    active: TaskRecord | undefined,
    records: readonly TaskRecord[],
  ): Reading {
    if (file === undefined) return success(undefined);
    const record = records.find(({ taskId }) => taskId === readDecisionTask(file));
    if (record === undefined) return this.aboutAnother(file, active);
    this.subject = record.taskId;
    if (file.about === 'report') return this.forReport(file.decision, record);
    return record.halt === undefined
      ? failure(explainLateDecision(record, file.answer.halt))
      : success(choiceOf(file.answer));
  }

  private forReport(decision: WrittenDecision, record: TaskRecord): Reading {
    const isManaged = record.contract.roles.floorManager === HUMAN;
    const nonce = getReportNonce(record);
    // One on this very report counts again once the task goes on.
    if (record.halt !== undefined && !(isManaged && nonce !== undefined && decision.nonce === nonce))
      return failure(
        `it decides on a report (\`decision\`), but the task is halted: answer with \`halt\` and \`path\`, as ${this.services.handoff.shown(FILES.halt)} shows`,
      );
    if (!isManaged) return failure(BUILT_IN);
    if (!awaitsDecision(record)) return success(undefined);
    const checked = checkHumanDecision(decision, record);
    if (typeof checked === 'string') return failure(checked);
    this.onReport = decision;
    return success(undefined);
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

const explainLateDecision = ({ taskId, lastChoice }: TaskRecord, halt: string): string =>
  lastChoice?.halt === halt
    ? `halt ${halt} was answered already, with ${nameAnswer(lastChoice)} by ${lastChoice.by}`
    : `${taskId} is not halted`;

function choiceOf(answer: WrittenAnswer): HaltChoice {
  const { $schema: _, task_id: taskId, halt: haltId, contract_digest: contractDigest, ...others } = answer;
  const { nonce, by, reason, ...more } = others;
  return {
    ...more,
    taskId,
    haltId,
    contractDigest,
    file: { nonce },
    path: more.path,
    by: by === undefined ? 'a human' : toTerminalLine(by, 80),
    how: FILES.decision,
    reason: reason === undefined || reason.trim() === '' ? undefined : toTerminalLine(reason, 500),
  };
}
