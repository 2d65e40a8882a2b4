import {
  readDecision,
  readDecisionTask,
  type DecisionFile,
  type WrittenAnswer,
  type WrittenDecision,
} from '../record/decision-file.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { FILES } from '../../base/names.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { checkHumanDecision, type FloorDecision } from '../core/decide-on-change.ts';
import { awaitsDecision, getReportNonce } from '../core/find-outside-wait.ts';
import { getTaskStatus } from '../journal/active-task.ts';
import { pathOfParked } from '../documents/parked-papers.ts';
import type { HaltChoice } from './check-choice.ts';
import { interpretDecision } from './interpret-decision.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import { Problem } from '../../base/problem.ts';
import type { Needs } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** A text that ends too early may still be being written for this long. */
export const UNFINISHED_MS = 2000;

/** The choice of an answer to a halt, or why the file is refused; undefined for a file that may count later. */
type Reading = Outcome<HaltChoice | undefined, string>;

/** A file that is read for a decision, as of its last poll. */
interface DecisionPlace {
  /** Its path below `_handoff/`. */
  readonly name: string;
  /** The parked task in whose folder it is; undefined in `_handoff/` itself. */
  readonly owner: string | undefined;
  /** The text of the file, or why it cannot be read (a link, a folder); undefined = it is missing. */
  file?: Outcome<string, string> | undefined;
  since: number;
  /** The decision on a report in the file. */
  onReport?: WrittenDecision | undefined;
  /** The file with all that it could be meant for: halts, the report, a STOP. */
  situation: string;
  refusedIn?: string | undefined;
  /** The task that a refusal is noted for. */
  subject?: string | undefined;
}

/**
 * Reads `DECISION.json`, which answers a halt or decides on a report in the floor manager's place. It is in `_handoff/`, or
 * in the folder of a parked task, where it is about that task. A file counts once its JSON is whole. One that counts for
 * nothing is refused in words, and again only where something else could be meant.
 */
export class DecisionReader {
  private readonly services: Needs<'clock' | 'handoff' | 'journal' | 'say'>;
  private readonly places = new Map<string, DecisionPlace>();
  /** The place of the choice that the last poll returned. */
  private chosen: DecisionPlace | undefined;

  constructor(services: Needs<'clock' | 'handoff' | 'journal' | 'say'>) {
    this.services = services;
  }

  /** Reads every file, and returns the first choice at a halt of the active task or of a parked one. */
  poll(active: TaskRecord | undefined, parked: readonly TaskRecord[]): HaltChoice | undefined {
    const all = active === undefined ? parked : [active, ...parked];
    const places = [
      this.placeOf(FILES.decision, undefined),
      ...parked.map(({ taskId }) => this.placeOf(pathOfParked(taskId, FILES.decision), taskId)),
    ];
    this.places.clear();
    let choice: HaltChoice | undefined;
    for (const place of places) {
      this.places.set(place.name, place);
      const { owner } = place;
      const records = owner === undefined ? all : parked.filter(({ taskId }) => taskId === owner);
      const found = this.pollPlace(place, owner === undefined ? active : undefined, records);
      if (found !== undefined && choice === undefined) [choice, this.chosen] = [found, place];
    }
    return choice;
  }

  private placeOf(name: string, owner: string | undefined): DecisionPlace {
    return this.places.get(name) ?? { name, owner, since: 0, situation: '' };
  }

  private pollPlace(
    place: DecisionPlace,
    active: TaskRecord | undefined,
    records: readonly TaskRecord[],
  ): HaltChoice | undefined {
    const { file } = place;
    place.file = this.load(place.name);
    if (contentOf(file) !== contentOf(place.file)) place.since = performance.now();
    place.onReport = undefined;
    place.subject = place.owner ?? findSubject(place.file, records);
    const waiting = records.map((one) => one.halt?.id ?? (awaitsDecision(one) ? getReportNonce(one) : ''));
    const { handoff } = this.services;
    // The same answer, written again after its remedy was done, is another one.
    const writtenAt = handoff.namedAt(place.name);
    place.situation = JSON.stringify([contentOf(place.file), writtenAt, handoff.exists(FILES.stop), waiting]);
    if (place.file === undefined) place.refusedIn = undefined;
    if (place.file === undefined || place.situation === place.refusedIn) return undefined;
    const decision = this.parse(place.file, place.since);
    const reading = decision.ok ? this.interpret(place, decision.value, active, records) : decision;
    if (reading.ok) return reading.value;
    this.refusePlace(place, reading.why);
    return undefined;
  }

  /** A person's decision on the report of this record, the active one; undefined without a valid one. */
  decisionOn(record: TaskRecord): FloorDecision | undefined {
    const onReport = this.places.get(FILES.decision)?.onReport;
    const checked = onReport === undefined ? undefined : checkHumanDecision(onReport, record);
    return typeof checked === 'string' ? undefined : checked;
  }

  /** Logs why the choice of the last poll has no effect, with the remedy. */
  refuse(why: unknown): void {
    if (this.chosen !== undefined) this.refusePlace(this.chosen, why);
  }

  private refusePlace(place: DecisionPlace, why: unknown): void {
    place.refusedIn = place.situation;
    const reason = getErrorMessage(why);
    const remedy = why instanceof Problem ? `; ${why.remedy}` : '';
    const text = `${this.services.handoff.shown(place.name)} does not count: ${toTerminalLine(`${reason}${remedy}`, 600)}`;
    this.services.say({ kind: 'word', level: 'warn', text });
    this.note(place.subject, withoutSecrets(text));
  }

  private load(name: string): Outcome<string, string> | undefined {
    const read = this.services.handoff.read(name);
    if (!read.ok) return read;
    return read.value === undefined ? undefined : success(read.value);
  }

  private parse(file: Outcome<string, string>, since: number): Outcome<DecisionFile | undefined, string> {
    if (!file.ok) return failure(`it ${file.why}`);
    const read = readDecision(file.value);
    if (read.ok) return read;
    const isFresh = performance.now() - since < UNFINISHED_MS;
    return read.why.unfinished && isFresh ? success(undefined) : failure(read.why.why);
  }

  private interpret(
    place: DecisionPlace,
    file: DecisionFile | undefined,
    active: TaskRecord | undefined,
    records: readonly TaskRecord[],
  ): Reading {
    if (file === undefined) return success(undefined);
    const { owner, name } = place;
    const { journal, handoff } = this.services;
    place.subject = records.find(({ taskId }) => taskId === readDecisionTask(file))?.taskId ?? place.subject;
    const read = interpretDecision(file, {
      owner,
      active,
      records,
      statusOf: (taskId) => getTaskStatus(journal, taskId),
    });
    if (!read.ok) return read;
    if (read.value.is === 'decision') place.onReport = read.value.decision;
    return success(read.value.is === 'answer' ? choiceOf(read.value.answer, handoff.shown(name)) : undefined);
  }

  /** A person who answers by file may never see the daemon's terminal, so `status` and `logs` show the refusal too. */
  private note(subject: string | undefined, text: string): void {
    const { journal, clock } = this.services;
    if (subject === undefined) return;
    const entries = journal.entries(subject);
    const last = entries.findLastIndex(({ kind }) => kind === 'moved' || kind === 'admitted');
    if (entries.slice(last).some((entry) => entry.kind === 'remark' && entry.text === text)) return;
    journal.append(subject, [{ kind: 'remark', at: clock.now(), text, refused: true }]);
  }
}

/** The task that a file is about: the one that it names, else the only one that waits for an answer. */
function findSubject(file: Outcome<string, string> | undefined, records: readonly TaskRecord[]): string | undefined {
  const id = file?.ok === true ? /"task_id"\s*:\s*"([^"]*)"/.exec(file.value)?.[1] : undefined;
  if (id !== undefined) return records.find(({ taskId }) => taskId === id)?.taskId;
  const [first, second] = records.filter((record) => record.halt !== undefined || awaitsDecision(record));
  return second === undefined ? first?.taskId : undefined;
}

const contentOf = (file: Outcome<string, string> | undefined): string | undefined =>
  file === undefined || file.ok ? file?.value : `\u0000${file.why}`;

function choiceOf(answer: WrittenAnswer, shown: string): HaltChoice {
  const { $schema: _, task_id: taskId, halt: haltId, contract_digest: contractDigest, ...others } = answer;
  const { nonce, by, reason, ...more } = others;
  return {
    ...more,
    taskId,
    haltId,
    contractDigest,
    file: { nonce, shown },
    path: more.path,
    by: by === undefined ? 'a human' : toTerminalLine(by, 80),
    how: FILES.decision,
    reason: reason === undefined || reason.trim() === '' ? undefined : toTerminalLine(reason, 500),
  };
}
