import { OLLAMA, WORKS_AT } from '../../src/base/agent-ids.ts';
import { setImmediate as soon, setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '../../src/line/services/services.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import { failure, success, type Outcome } from '../../src/base/outcome.ts';
import type { Agent, AgentCall, AgentFailure, Capabilities, Transcript } from '../../src/agents/agent.ts';
import { listRebuttedFindings } from '../../src/line/stations/brief-judge.ts';
import { RED, lifeOf, type Act } from './lives.ts';

/** The line that every note has. */
const LINE = 'One line that every note has in common.';
/** A call thinks so long, so that a kill may fall into it. */
const THINKING_MS = 2;
const WINDOW = 131_072;

const LOCAL: Capabilities = { billing: 'free', takesBudget: false, hasWindow: true };
const METERED: Capabilities = { billing: 'metered', takesBudget: true, hasWindow: false };

/** Agents that answer inside this process as the life of the task says; `record` is what andon told last. */
export function scriptedAgents(record: () => TaskRecord | undefined): Services['agents'] {
  const run = async (call: AgentCall): Promise<Outcome<Transcript, AgentFailure>> => {
    const began = performance.now();
    await soon(); // what andon notes before it calls is sent after that
    await sleep(THINKING_MS, undefined, { signal: call.signal }).catch(() => {});
    const ms = Math.round(performance.now() - began);
    const failed = (kind: AgentFailure['kind'], detail: string) =>
      failure({ kind, detail, ms, exit: 1, tokensIn: 0, tokensOut: 0, usd: 0 });
    if (call.signal.aborted) return failed('aborted', 'ended');
    const now = record();
    const station = now?.openCall?.station;
    if (now === undefined || station === undefined) throw new Error('an agent was called that andon had not noted');
    const act = lifeOf(now.taskId).act?.(station, now) ?? 'well';
    if (act === 'crash') return failed('crash', 'it crashed, as scripted');
    if (act === 'away') return failed('unavailable', 'its server is down, as scripted');
    const used = { ms, exit: 0, tokensIn: 100, tokensOut: 10, usd: station === 'judge' ? 0.01 : 0 };
    if (station === 'judge')
      return success({ text: '', structured: report(now, act), opened: ['change.diff'], ...used });
    const text = station === 'implementer' ? change(now, act) : review(now, act);
    return success({ text, ...used });
  };
  const agent = (id: string, capabilities: Capabilities): Agent => ({
    id,
    capabilities,
    worksAt: ['implementer', 'local-reviewer', 'judge'],
    run,
    probe: () => Promise.resolve(success('0.0.0')),
  });
  return {
    [WORKS_AT.judge]: agent(WORKS_AT.judge, METERED),
    [OLLAMA]: { ...agent(OLLAMA, LOCAL), windowOf: () => Promise.resolve(WINDOW) },
  };
}

/** A note that no other attempt of any task has written. */
function change({ taskId, attempt }: TaskRecord, act: Act): string {
  if (act === 'nothing') return '';
  if (act === 'no change') return 'NO CHANGE: it is as it should be.';
  const lines = Array.from({ length: 12 }, (_, at) => sentence(at + 1, attempt, taskId));
  return ['```', act === 'red' ? RED : `Attempt ${attempt} of ${taskId}`, LINE, ...lines, '```', ''].join('\n');
}

/** A line that no other attempt has; the scripted judge quotes the first one. */
const sentence = (number: number, attempt: number, taskId: string): string =>
  `Sentence ${number} of attempt ${attempt} at ${taskId}.`;

function review(record: TaskRecord, act: Act): string {
  if (act === 'nothing') return '';
  const finding = {
    severity: 'high',
    category: 'correctness',
    file: targetOf(record),
    line: 3,
    description: 'The third sentence contradicts the first one',
    evidence: '',
  };
  const isFine = act === 'well';
  return JSON.stringify({
    verdict: isFine ? 'PASS' : 'FAIL',
    critical_security_flaw: false,
    findings: isFine ? [] : [finding],
  });
}

function report(record: TaskRecord, act: Act): object {
  const isFine = act === 'well' || act === 'unproven';
  const written = sentence(1, record.change?.attempt ?? 0, record.taskId);
  const quote = act === 'unproven' ? 'A line that is in no file.' : written;
  const issue = {
    severity: 'high',
    category: 'correctness',
    file: act === 'invent' ? 'notes/that-does-not-exist.txt' : targetOf(record),
    line: 3,
    description: `Round ${record.rounds.length + 1}: the result that the requirement asks for is wrong`,
    fix_required: 'State the right result',
  };
  return {
    task_id: record.taskId,
    commit: record.change?.commit ?? '',
    contract_digest: record.contractDigest,
    verdict: isFine ? 'PASS' : 'FAIL',
    summary: isFine ? 'The quoted line is what the requirement asks for.' : 'not yet',
    blocking_issues: isFine ? [] : [issue],
    required_fixes: [],
    suggestions: [],
    security_flags: [],
    evidence: [{ file: '', line: null, quote }],
    rebuttal_answers: listRebuttedFindings(record).map(({ number: finding }) => ({
      finding,
      answer: 'ACCEPTED', // what was invented does not hold; the next round invents something else
      why: 'That file does not exist.',
      file: null,
      line: null,
      quote: null,
    })),
  };
}

const targetOf = ({ contract }: TaskRecord): string => contract.specification.targetFile ?? '';
