import { FILES, HANDOFF } from '../base/names.ts';
import type { Drill, Stage } from './drill.ts';
import { TARGET, TASK } from './sample.ts';
import { FINAL, judges, once } from './scenario.ts';

const unproven = [
  once(judges('LGTM')),
  once(judges('PASS', { commit: '0'.repeat(40) })),
  once(judges('PASS', { evidence: [] })),
];

/** A verdict that cannot be read or proven passes nothing. */
export const unreadableReport: Drill = {
  name: 'unreadable_report',
  breaker: 'unreadable_report',
  injects: 'a judge whose reports cannot be read, are about another commit, or prove nothing',
  situations: [
    {
      injects: 'an unknown verdict, a PASS for another commit, a PASS without evidence',
      agents: { judge: [...unproven, judges('PASS')] },
      halt: {
        breaker: 'unreadable_report',
        says: '3 reports could not be accepted',
        figures: { 'unreadable reports': 3, 'judge calls': 3, merges: 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { 'judge calls': 4, attempts: 1 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: 'the same; a human judges instead',
      agents: { judge: [...unproven] },
      halt: {
        breaker: 'unreadable_report',
        says: '3 reports could not be accepted',
        path: 2,
        afterwards: judgeByHand,
      },
      end: { status: 'merged', figures: { 'judge calls': 3 }, holds: { [TARGET]: FINAL } },
    },
    {
      injects: 'one step below: two such reports, then a proven PASS',
      agents: { judge: [...unproven.slice(0, 2), judges('PASS')] },
      end: {
        status: 'merged',
        figures: { 'unreadable reports': 2, 'judge calls': 3 },
        holds: { [TARGET]: FINAL },
      },
    },
  ],
};

/** What a human does who judges: takes the request, reads, and writes the report. */
async function judgeByHand(stage: Stage): Promise<void> {
  const [request, claim] = [`${HANDOFF}/${FILES.reviewRequest}`, `${HANDOFF}/${FILES.reviewInProgress}`];
  await stage.until('the review is asked for', () => stage.read(request) !== undefined);
  const text = stage.read(request);
  if (text !== undefined) {
    stage.write(claim, text);
    stage.write(request, null);
  }
  const report = {
    task_id: TASK,
    verdict: 'PASS',
    summary: 'Read by a human.',
    blocking_issues: [],
    evidence: [{ file: TARGET, line: 9, quote: 'A token is valid for 15 minutes and can be renewed once.' }],
  };
  stage.write(`${HANDOFF}/${FILES.judgeReportJson}`, `${JSON.stringify(report, null, 2)}\n`);
}
