import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { initialTransition, transition } from 'xstate';
import { decideOnChange } from '../../../src/line/core/decide-on-change.ts';
import { lineMachine } from '../../../src/line/core/machine.ts';
import { readAnswer } from '../../../src/line/stations/answer-formats/read-answer.ts';
import { readReport } from '../../../src/line/stations/read-judge-report.ts';
import { readReview } from '../../../src/line/panel/create-question.ts';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import { aJudgedRecord, aStep } from '../../support/records.ts';
import { STALL_MINUTES, tries } from '../lines.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';

/** What a program printed, and what the station that called it makes of it; the station is in the row's id. */
export const modelOutput: Runner = ({ id, input }) => {
  const station = /^model-output-(\w+)-/.exec(id)?.[1] ?? '';
  const known = ['text', 'json', 'raw', 'process', 'md', 'report_file_mtime'];
  const unknown = Object.keys(input).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Error(`the runner does not know ${unknown.join(', ')}`);
  const { text, json, raw, process, md } = input;
  if (station === 'impl' && typeof text === 'string') return implementerSaid(text);
  if (station === 'impl' && process === 'killed after limit') return implementerFellSilent();
  if (station === 'local' && typeof text === 'string') return reviewerSaid(text);
  if (station === 'judge' && isFacts(json)) return judgeSaid(json);
  if (station === 'judge' && typeof raw === 'string') return judgeWrote(raw);
  if (station === 'judge' && typeof md === 'string') return judgeWroteOnlyProse(md);
  if (station === 'judge' && input['report_file_mtime'] === 'before this review started')
    return judgeLeftTheOldReport();
  throw new Error(`no station "${station}" reads ${JSON.stringify(input).slice(0, 80)}`);
};

function implementerSaid(text: string): Facts {
  const answer = readAnswer(text, { targetFile: 'docs/guide.md', maxFiles: 100 });
  if (!answer.ok) {
    const { kind, detail } = answer.why;
    return { stall: kind === 'placeholder' ? kind : `${kind}_output`, reason: detail };
  }
  const written = answer.value.kind === 'change' ? answer.value.edits : [];
  return { content: written.flatMap((edit) => (edit.kind === 'write' ? [edit.content] : [])).join('') };
}

/** The event of the line's first step when an implementer prints nothing until its limit. */
async function implementerFellSilent(): Promise<Facts> {
  const factory = await aFactory({ scenario: { implementer: [tries('timeout')] } });
  await factory.run(aContract({ 'limits.timeout_minutes': STALL_MINUTES, 'limits.max_stalls': 1 }));
  return { stall: factory.transitions()[0]?.['event'] };
}

function reviewerSaid(text: string): Facts {
  const opinion = readReview({ text });
  if (!opinion.ok) return { passed: false, critical: false, reason: 'unparseable', why: opinion.why };
  return { passed: opinion.value.verdict === 'PASS', critical: opinion.value.critical };
}

/** A report that names its task and quotes a line that stands there, unless the row says otherwise. */
function judgeSaid(report: Facts): Facts {
  const record = aJudgedRecord({ status: 'review_in_progress', report: undefined });
  const written = { task_id: record.taskId, evidence: ['# Guide'], ...report };
  const read = readReport(written, record, {
    bound: 'by claim',
    weigh: () => ({ line: 1, found: true, proves: true, why: '' }),
  });
  if (!read.ok) return { verdict: 'missing', reason: read.why };
  const done = {
    type: 'xstate.done.actor.0.line.review_in_progress',
    output: aStep('judge_complete', { report: read.value }),
  };
  const [before] = initialTransition(lineMachine, { record });
  const [after] = transition(
    lineMachine,
    before,
    done as unknown as Parameters<typeof transition<typeof lineMachine>>[2],
  );
  const halts = after.value === 'erik_consultation';
  const { do: does } = decideOnChange(after.context.record, () => true);
  // The contract that the first system wrote for it is andon's next brief.
  return { verdict: read.value.verdict, next: halts ? 'halt' : does === 'fix' ? 'refinement_contract' : does };
}

/** The report file of a judge outside holds these bytes when the request is given back. */
async function judgeWrote(bytes: string): Promise<Facts> {
  const factory = await aFactory({ projectConfig: { judge: 'external' } });
  const [request, taken, written] = ['REVIEW_REQUEST.md', 'REVIEW_IN_PROGRESS.md', 'JUDGE_REPORT.json'].map((name) =>
    join(factory.handoff, name),
  ) as [string, string, string];
  const dog = await factory.begin(aContract());
  await dog.until(() => existsSync(request));
  renameSync(request, taken);
  writeFileSync(written, bytes);
  rmSync(taken);
  await dog.until(() => factory.transitions().some(({ event }) => event === 'report_unreadable'));
  const { verdict } = await factory.show('DOC-001');
  const [last] = factory.transitions().filter(({ event }) => event === 'report_unreadable');
  return { verdict: verdict ?? 'missing', reason: last?.['status_reason'] };
}

const PAPERS = ['REVIEW_REQUEST.md', 'REVIEW_IN_PROGRESS.md', 'JUDGE_REPORT.json', 'JUDGE_REPORT.md'];

/** A judge outside who writes prose and no report, whenever he is asked. */
async function judgeWroteOnlyProse(prose: string): Promise<Facts> {
  const factory = await aFactory({ projectConfig: { judge: 'external' } });
  const [request, taken, , page] = PAPERS.map((name) => join(factory.handoff, name)) as [
    string,
    string,
    string,
    string,
  ];
  const dog = await factory.begin(aContract());
  const refusals = (): number => factory.transitions().filter(({ event }) => event === 'report_unreadable').length;
  let rounds = 0;
  while (!factory.isHalted() && !factory.isMerged()) {
    await dog.until(() => existsSync(request) || factory.isHalted() || factory.isMerged());
    if (!existsSync(request)) break;
    renameSync(request, taken);
    writeFileSync(page, prose);
    rmSync(taken);
    rounds += 1;
    await dog.until(() => refusals() >= rounds || factory.isMerged() || factory.isHalted());
  }
  const { verdict } = await factory.show('DOC-001');
  const next = !factory.isHalted() ? 'merged' : rounds > 1 ? 'retry_then_halt' : 'halt';
  return { verdict: verdict ?? 'missing', next };
}

/** A judge outside who takes a request and gives it back; the report that lies there is older than the request. */
async function judgeLeftTheOldReport(): Promise<Facts> {
  const factory = await aFactory({ projectConfig: { judge: 'external' } });
  const [request, taken, report] = PAPERS.map((name) => join(factory.handoff, name)) as [string, string, string];
  mkdirSync(factory.handoff, { recursive: true });
  writeFileSync(report, JSON.stringify({ task_id: 'DOC-001', verdict: 'PASS', blocking_issues: [] }));
  const dog = await factory.begin(aContract());
  await dog.until(() => existsSync(request));
  renameSync(request, taken);
  rmSync(taken);
  await dog.until(() => factory.transitions().some(({ event }) => event === 'report_unreadable'));
  const { verdict } = await factory.show('DOC-001');
  return { verdict: verdict ?? 'missing' };
}
