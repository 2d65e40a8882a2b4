import type { LineRecord } from '../../../record/line-record.ts';
import { getJudgeReport } from '../../../record/reviews.ts';
import { formatImplementers } from '../../../record/implementers.ts';
import { describeTampering } from '../../../record/gate-tampering.ts';
import { listDoubtSentences } from '../../view.ts';
import { toBranchName } from '../../../base/names.ts';
import type { ReportBasis } from './facts.ts';

type Fact = readonly [name: string, value: string];

export function scopeRows({ contract, grants }: LineRecord): readonly Fact[] {
  const { constraints, limits, roles, gates, holdout } = contract;
  const { usd, tokens, minutes } = limits.budget;
  const budget = [
    ...(usd === undefined ? [] : [`$${usd + grants.usd}`]),
    ...(tokens === undefined ? [] : [`${tokens + grants.tokens} tokens`]),
    ...(minutes === undefined ? [] : [`${minutes + grants.minutes} minutes`]),
  ];
  const facts: readonly Fact[] = [
    ['Allowed paths', constraints.allowedPaths.join(', ')],
    ['Allowed by a human', grants.paths.join(', ')],
    ['Forbidden paths', constraints.forbiddenPaths.join(', ')],
    ['Deleting files', constraints.allowDeletes ? 'allowed' : 'not allowed'],
    ['Shortening files', constraints.allowShrink === true ? 'allowed' : ''],
    ['Tests that may change', (constraints.allowTestChanges ?? []).join(', ')],
    ['Losing tests', constraints.allowTestLoss === true ? 'allowed' : ''],
    ['Largest diff', `${constraints.maxDiffSize + grants.diffSize} lines`],
    ['Rebuttals', `at most ${limits.maxRebuttals + grants.rebuttals}`],
    ['Review cycles', `at most ${limits.maxReviewCycles + grants.reviewCycles}`],
    ['Budget', budget.join(', ') || 'no ceiling'],
    ['Gates of the contract', [...gates, ...holdout.gates].map(({ name }) => name).join(', ')],
    ['Implementer', formatImplementers(roles.implementers)],
    ['Local reviewer', (roles.reviewers ?? [roles.localReviewer]).join(', ')],
    ['Judge', (roles.judges ?? [roles.judge]).join(', ')],
    ['Floor manager', roles.floorManager ?? ''],
  ];
  return facts.filter(([, value]) => value !== '');
}

/** The ids that tie the report to git and journal; whole, for comparison. */
export function proofs({ record, isChainWhole, story }: ReportBasis): readonly Fact[] {
  const { change, merge } = record;
  const report = getJudgeReport(record);
  const isMerged = record.status === 'merged' && merge !== undefined;
  const facts: readonly Fact[] = [
    ['Contract digest (SHA-256)', record.contractDigest],
    ['Base commit', change?.base ?? record.base],
    ['Commit of the change', change?.commit ?? ''],
    ['Tree of the change', change?.tree ?? ''],
    ['Gates ran on tree', record.gates?.tree ?? ''],
    ['Gates and tests', (record.bending?.bends ?? []).map(describeTampering).join('; ')],
    ['Rules that are not sure', listDoubtSentences(record).join('; ')],
    ['Judged commit', report?.commit ?? ''],
    ['Judged tree', report?.tree ?? ''],
    ['Judged contract digest', report?.contractDigest ?? ''],
    ['Judge’s report (SHA-256)', report?.digest ?? ''],
    ['Branch', `task/${record.taskId}, into ${toBranchName(record.target)}`],
    ['Merge commit', isMerged ? merge.commit : ''],
    ['Tip of the target after it', isMerged && merge.tip !== merge.commit ? merge.tip : ''],
    ['Undone by commit', record.undone ?? ''],
    [
      'Journal',
      `${story.length} entries; the repository’s chain of hashes is ${isChainWhole ? 'whole' : 'BROKEN: do not trust this report'}`,
    ],
  ];
  return facts.filter(([, value]) => value !== '');
}
