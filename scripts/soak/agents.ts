import { setImmediate as soon, setTimeout as sleep } from 'node:timers/promises';
import type { World } from '../../src/floor/world.ts';
import type { LineRecord } from '../../src/formats/line-record.ts';
import type { Outcome } from '../../src/formats/outcome.ts';
import { failure, success } from '../../src/formats/outcome.ts';
import type { Agent, AgentCall, AgentFailure, Transcript } from '../../src/ports/agent.ts';
import { RED, lifeOf } from './lives.ts';
import type { Act } from './lives.ts';

/** The line that every note has and the scripted judge quotes. */
const LINE = 'One line that every note has in common.';
/** A call thinks so long, so that a kill may fall into it. */
const THINKING_MS = 2;
const WINDOW = 131_072;

/** Agents that answer inside this process as the life of the task says; `record` is what andon told last. */
export function scriptedAgents(record: () => LineRecord | undefined): World['agents'] {
  const run = async (call: AgentCall): Promise<Outcome<Transcript, AgentFailure>> => {
    const began = performance.now();
    await soon(); // what andon notes before it calls is told after that
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
    if (station === 'judge') return success({ text: '', structured: report(now, act), toolUses: 1, ...used });
    const text = station === 'implementer' ? change(now, act) : review(now, act);
    return success({ text, ...used });
  };
  const agent = (id: string): Agent => ({ id, run, probe: () => Promise.resolve(success('0.0.0')) });
  return { ollama: { ...agent('ollama'), windowOf: () => Promise.resolve(WINDOW) }, claude: agent('claude') };
}

/** A note that no other attempt of any task has written. */
function change({ taskId, attempt }: LineRecord, act: Act): string {
  if (act === 'nothing') return '';
  if (act === 'no change') return 'NO CHANGE: it is as it should be.';
  const lines = Array.from({ length: 12 }, (_, at) => `Sentence ${at + 1} of attempt ${attempt} at ${taskId}.`);
  return ['```', act === 'red' ? RED : `Attempt ${attempt} of ${taskId}`, LINE, ...lines, '```', ''].join('\n');
}

function review(record: LineRecord, act: Act): string {
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

function report(record: LineRecord, act: Act): object {
  const isFine = act === 'well' || act === 'unproven';
  const issue = {
    severity: 'high',
    category: 'correctness',
    file: act === 'invent' ? 'notes/that-nobody-wrote.txt' : targetOf(record),
    line: 3,
    description: `Round ${record.rounds.length + 1}: the result that the requirement asks for is wrong`,
    fix_required: 'State the right result',
  };
  return {
    task_id: record.taskId,
    commit: record.change?.commit ?? '',
    contract_digest: record.contractDigest,
    verdict: isFine ? 'PASS' : 'FAIL',
    summary: isFine ? 'good' : 'not yet',
    blocking_issues: isFine ? [] : [issue],
    required_fixes: [],
    suggestions: [],
    security_flags: [],
    evidence: [{ file: '', line: null, quote: act === 'unproven' ? 'A line that stands nowhere.' : LINE }],
  };
}

const targetOf = ({ contract }: LineRecord): string => contract.specification.targetFile ?? '';
