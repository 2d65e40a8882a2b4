import { toTaskBranch } from '../../base/names.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';
import { check, checkSame, type DrillCheck } from './check.ts';
import { checkUntouched } from './check-halt.ts';
import type { ExpectedEnd } from './drill.ts';
import { TASK } from './scenario.ts';
import type { OpenStage } from './stage.ts';

const TARGET = 'refs/heads/main';

/** Checks the end of the task and the target branch: one merge with the promised files, or none. */
export async function checkEnd(
  stage: OpenStage,
  record: TaskRecord,
  expected: ExpectedEnd,
): Promise<readonly DrillCheck[]> {
  const isMerged = expected.status === 'merged';
  const log = await stage.repo.log(TARGET);
  const merges = log.split('\n').filter((row) => row.includes(`Merge task/${TASK}`)).length;
  return [
    checkSame('end', expected.status, record.status),
    checkSame('merge commits', isMerged ? 1 : 0, merges),
    ...(await checkFiles(stage, expected.holds ?? {})),
    ...(isMerged ? [] : await checkNothingMoved(stage, record)),
  ];
}

/** Checks the files on the target branch and in the checkout, which follows it. */
async function checkFiles(stage: OpenStage, holds: NonNullable<ExpectedEnd['holds']>): Promise<readonly DrillCheck[]> {
  const tip = (await stage.repo.resolve(TARGET)) ?? '';
  const onTarget = await stage.repo.read(tip, Object.keys(holds));
  return Object.entries(holds).flatMap(([path, text]) => {
    const bytes = onTarget.get(path);
    const isAs = text === null ? 'is not there' : 'is as it must be';
    return [
      check(`${path} ${isAs} on the target`, difference(text, bytes && new TextDecoder().decode(bytes))),
      check(`and in your checkout`, difference(text, stage.read(path))),
    ];
  });
}

const difference = (expected: string | null, found: string | undefined): string | undefined =>
  (found ?? null) === expected
    ? undefined
    : found === undefined
      ? 'it is not there'
      : `it holds ${JSON.stringify(found)}`;

async function checkNothingMoved(stage: OpenStage, { change }: TaskRecord): Promise<readonly DrillCheck[]> {
  const untouched = checkUntouched(stage);
  if (change === undefined) return [untouched];
  const branch = await stage.repo.resolve(toTaskBranch(TASK));
  const lost = branch === change.commit ? undefined : `it is ${branch ?? 'gone'}, the change is ${change.commit}`;
  return [untouched, check('the branch of the task is kept', lost)];
}
