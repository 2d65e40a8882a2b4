import { readDecision, taskOf } from '../../record/decision.ts';
import type { DecisionFile } from '../../record/decision.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HUMAN } from '../../base/names.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import { changedPromise } from '../../line/documents/halt-report.ts';
import { readTicks } from '../../line/documents/ticks.ts';
import { foldJournal } from '../../line/record.ts';
import { resumeCommand } from '../../line/resume-command.ts';
import type { Choice } from './check-decision.ts';
import { choiceOf, disagree, inWords, isSame } from './compare-decisions.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { Problem } from '../../base/problem.ts';
import { EditedPapers } from './edited-papers.ts';
import { SeenPaper } from './seen-paper.ts';
import type { Services } from '../../wiring/services.ts';

/** What one of the two files says now. `waits`: it may still change; `silent`: it says nothing, or was refused as it is. */
type Said =
  | { readonly is: 'silent' }
  | { readonly is: 'waits' }
  | { readonly is: 'unclear'; readonly why: string }
  | { readonly is: 'choice'; readonly choice: Choice };

/**
 * What a human answers through the folder: a tick in the halt report, or `DECISION.json`. An editor may save in pieces,
 * so a file counts when it has stayed as it is for a moment; two files that disagree move nothing.
 */
export class Answers {
  private readonly services: Services;
  private readonly report: SeenPaper;
  private readonly decision: SeenPaper;
  /** The decision that lay there before the line halted: it was about a report. */
  private before: string | undefined;
  private readonly edited: EditedPapers;
  private haltId: string | undefined;
  private offered: readonly SeenPaper[] = [];
  private taskId: string | undefined;
  private sawStop = false;

  constructor(services: Services) {
    this.services = services;
    this.report = new SeenPaper(services, FILES.halt);
    this.decision = new SeenPaper(services, FILES.decision);
    this.edited = new EditedPapers(services);
  }

  /** The choice that was made, once it has settled; one that was refused is not offered again until a file changes. */
  look(record: LineRecord): Choice | undefined {
    const [report, decision] = [this.report, this.decision];
    this.taskId = record.taskId;
    report.look();
    decision.look();
    if (record.halt === undefined) {
      this.before = decision.text;
      this.tellLateTick(record);
      this.tellWhenNotHalted(record);
      return undefined;
    }
    if (record.halt.id !== this.haltId) decision.forget(); // refused before this halt: it is said at it again
    this.forgetWhenStopGoes();
    this.haltId = record.halt.id;
    for (const edit of this.edited.look(record)) this.tell(edit, {});
    const ticked = this.ticked(record);
    const written = this.written(record);
    if (ticked.is === 'waits' || written.is === 'waits') return undefined;
    if (ticked.is === 'choice' && written.is === 'choice' && disagree(ticked.choice, written.choice)) {
      const together = `${report.text ?? ''}\u0000${decision.text ?? ''}`;
      const sentence = `${this.shown(FILES.halt)} is ticked for path ${ticked.choice.path}, ${this.shown(FILES.decision)} says path ${written.choice.path}`;
      if (report.together !== together) this.tell(`neither counts: ${sentence}; leave one of them`);
      report.together = together;
      return undefined;
    }
    report.together = undefined;
    for (const [paper, said] of [[report, ticked] as const, [decision, written] as const])
      if (said.is === 'unclear') this.refuseOne(paper, said.why);
    const offers = [[report, ticked] as const, [decision, written] as const].flatMap(([paper, said]) =>
      said.is === 'choice' ? [{ paper, choice: said.choice }] : [],
    );
    const choice = offers[0]?.choice;
    this.offered = offers.flatMap((one) => (choice !== undefined && isSame(one.choice, choice) ? [one.paper] : []));
    return choice;
  }

  /** Milliseconds until what lies there unsettled may count; undefined when nothing does. */
  get settlesIn(): number | undefined {
    const waits = [this.report.settlesIn, this.decision.settlesIn].filter((ms) => ms !== undefined);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** What was refused because `STOP` was there counts once it is gone. */
  private forgetWhenStopGoes(): void {
    const isThere = this.services.handoff.exists(FILES.stop);
    if (this.sawStop && !isThere) for (const paper of [this.report, this.decision]) paper.forget();
    this.sawStop = isThere;
  }

  /** Without a task on the line nobody waits for an answer; a decision on the report of a task to come may lie there. */
  lookIdle(): void {
    this.taskId = undefined;
    this.report.look();
    this.decision.look();
    this.tellLateTick(undefined);
    const read = this.readLate();
    if (read === undefined) return;
    const why = this.aboutAnother(read, undefined);
    if (why !== undefined) this.refuseOne(this.decision, why);
  }

  /** Says once why what was offered moves nothing. */
  refuse(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const remedy = error instanceof Problem ? `; ${error.remedy}` : '';
    for (const paper of this.offered) this.refuseOne(paper, `${why}${remedy}`);
  }

  private ticked(record: LineRecord): Said {
    const { text } = this.report;
    if (text === undefined || this.report.isRefused) return { is: 'silent' };
    const ticked = readTicks(text);
    if (ticked === undefined) return { is: 'silent' };
    if (!this.report.isSettled) return { is: 'waits' };
    if ('unclear' in ticked) return { is: 'unclear', why: ticked.unclear };
    const { halt: haltId, path, tree, contractDigest, confirm, reason } = ticked;
    const changed =
      record.halt === undefined || record.halt.id !== haltId ? undefined : changedPromise(text, record, record.halt);
    if (changed !== undefined)
      return {
        is: 'unclear',
        why: `the report was edited beyond its boxes (it no longer says "${changed.slice(0, 200)}"); type the command instead: ${resumeCommand(record.taskId, path, haltId)}`,
      };
    const how = `tick in ${FILES.halt}`;
    return {
      is: 'choice',
      choice: {
        taskId: record.taskId,
        path,
        haltId,
        tree,
        contractDigest,
        confirm,
        reason: inWords(reason),
        by: 'a human',
        how,
      },
    };
  }

  private written(record: LineRecord): Said {
    const { text, unreadable, isRefused, isSettled, isOld } = this.decision;
    if (isRefused) return { is: 'silent' };
    if (unreadable !== undefined) return { is: 'unclear', why: `it ${unreadable}` };
    if (text === undefined) return { is: 'silent' };
    if (!isSettled) return { is: 'waits' };
    const read = readDecision(text);
    if (!read.ok) return read.why.unfinished && !isOld ? { is: 'waits' } : { is: 'unclear', why: read.why.why };
    const another = this.aboutAnother(read.value, record.taskId);
    if (another !== undefined) return { is: 'unclear', why: another };
    if (read.value.about === 'halt') return { is: 'choice', choice: choiceOf(read.value.answer) };
    if (text === this.before && record.contract.roles.floorManager === HUMAN) return { is: 'silent' };
    return {
      is: 'unclear',
      why: `it decides on a report (\`decision\`), but the line is halted: answer with \`halt\` and \`path\`, as ${this.shown(FILES.halt)} shows`,
    };
  }

  /** An editor may save the report of a halt that was answered in the meantime. */
  private tellLateTick(record: LineRecord | undefined): void {
    const { text, isRefused, isSettled } = this.report;
    if (text === undefined || isRefused || !isSettled) return;
    const ticked = readTicks(text);
    if (ticked === undefined || 'unclear' in ticked) return;
    this.refuseOne(this.report, record === undefined ? 'no task is on the line' : whyTooLate(record, ticked.halt));
  }

  /** While the line runs, only the floor manager's place may wait for a decision; it speaks for itself. */
  private tellWhenNotHalted(record: LineRecord): void {
    if (record.contract.roles.floorManager === HUMAN) return;
    const read = this.readLate();
    if (read === undefined) return;
    const another = this.aboutAnother(read, record.taskId);
    if (another !== undefined) return this.refuseOne(this.decision, another);
    if (read.about === 'report')
      return this.refuseOne(
        this.decision,
        'the built-in policy decides on reports (`"floor_manager": "human"` in the roles of the contract leaves it to you)',
      );
    this.refuseOne(this.decision, whyTooLate(record, read.answer.halt));
  }

  /** The decision that lies there although no halt stands, once it has settled; one that is none is refused. */
  private readLate(): DecisionFile | undefined {
    const { text, isRefused, isSettled, isOld } = this.decision;
    if (text === undefined || isRefused || !isSettled) return undefined;
    const read = readDecision(text);
    if (read.ok) return read.value;
    if (!read.why.unfinished || isOld) this.refuseOne(this.decision, read.why.why);
    return undefined;
  }

  /** Why a decision is not about the task on the line; undefined when it is, or may be about one to come. */
  private aboutAnother(read: DecisionFile, onLine: string | undefined): string | undefined {
    const id = taskOf(read);
    if (id === onLine) return undefined;
    const named = inOneTerminalLine(id, 80);
    const status = foldJournal(this.services.journal.entries(id))?.status;
    if (status !== undefined) return `it is about ${named}, which is ${status}`;
    if (onLine !== undefined) return `no task ${named} is on the line; ${onLine} is`;
    return read.about === 'halt' ? 'no task is on the line' : undefined;
  }

  private refuseOne(paper: SeenPaper, why: string): void {
    paper.refuse();
    const what = paper === this.report ? `the tick in ${this.shown(FILES.halt)}` : this.shown(FILES.decision);
    this.tell(`${what} does not count: ${inOneTerminalLine(why, 600)}`);
  }

  private shown(name: string): string {
    return this.services.handoff.shown(name);
  }

  private tell(text: string, as: { readonly refused?: true } = { refused: true }): void {
    this.services.say({ kind: 'word', level: 'warn', text });
    this.note(withoutSecrets(text), as);
  }

  /** Who answers through the folder may never see the daemon's terminal; the same words are noted once. */
  private note(text: string, as: { readonly refused?: true }): void {
    const { journal, clock } = this.services;
    if (this.taskId === undefined) return;
    const entries = journal.entries(this.taskId);
    const last = entries.findLastIndex(({ kind }) => kind === 'moved' || kind === 'admitted');
    if (entries.slice(last).some((entry) => entry.kind === 'remark' && entry.text === text)) return;
    journal.append(this.taskId, [{ kind: 'remark', at: clock.now(), text, ...as }]);
  }
}

const whyTooLate = ({ taskId, lastChoice }: LineRecord, halt: string): string =>
  lastChoice?.halt === halt
    ? `halt ${halt} was answered already, with path ${lastChoice.path} by ${lastChoice.by}`
    : `${taskId} is not halted`;
