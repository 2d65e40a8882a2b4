import { FILES } from '../../base/names.ts';
import type { Halt } from '../../line/record/trip.ts';
import { check, checkSame, type DrillCheck } from './check.ts';
import { TASK } from './scenario.ts';
import type { OpenStage } from './stage.ts';

/** How long ended processes may take to exit. */
const GONE_MS = 5000;

/** Checks of every halt: a complete report, a locked contract, no processes, an untouched checkout. */
export async function checkSafety(stage: OpenStage, halt: Halt): Promise<readonly DrillCheck[]> {
  // Only the last reading counts: a git child of andon bears andon's name until its exec.
  let running = stage.processes();
  await stage
    .until('the processes of the task are gone', () => (running = stage.processes()).length === 0, GONE_MS)
    .catch(() => {}); // remaining processes are reported below
  return [
    check(`${FILES.halt} is whole`, listHaltFlaws(stage.haltPaper(FILES.halt) ?? '', halt)),
    check('the contract is locked', lockFlaw(stage)),
    check(
      'nothing of the task runs',
      running.length === 0 ? undefined : running.map(({ command }) => command).join('; '),
    ),
    checkUntouched(stage),
  ];
}

export function checkUntouched(stage: OpenStage): DrillCheck {
  const touched = stage.trespasses();
  return check('your checkout is untouched', touched.length === 0 ? undefined : touched.join(', '));
}

/** The missing part of a halt report, in words; undefined when it is complete. */
export function listHaltFlaws(report: string, { id, trip, paths }: Halt): string | undefined {
  const wanted = [
    ` (${trip.breaker}): `,
    '## The Two Paths',
    ...paths.flatMap((_, at) => [`### Path ${at + 1}: `, `andon resume ${TASK} --path ${at + 1} --halt ${id}`]),
    '## The Conflict',
    ...trip.sides.map(() => '** says:'),
    '## The State',
    '## Other ways',
    ...(paths.some(({ effect }) => effect.to === 'abandoned') ? [] : [`andon abandon ${TASK}`]),
    `"halt":${JSON.stringify(id)}`,
    `"breaker":${JSON.stringify(trip.breaker)}`,
  ];
  let rest = report;
  for (const part of wanted) {
    const at = rest.indexOf(part);
    if (at === -1) return `it lacks "${part}", or not in that order`;
    rest = rest.slice(at + part.length);
  }
  return report.endsWith('\n') ? undefined : 'it breaks off';
}

function lockFlaw(stage: OpenStage): string | undefined {
  if (stage.paper(FILES.contract) !== undefined) return `${FILES.contract} is still there`;
  const lock = stage.haltPaper(FILES.lock);
  if (lock === undefined) return `${FILES.lock} is not there`;
  const { ok, found } = checkSame('status', 'erik_consultation', (JSON.parse(lock) as { status?: string }).status);
  return ok ? undefined : `the lock says ${found}`;
}
