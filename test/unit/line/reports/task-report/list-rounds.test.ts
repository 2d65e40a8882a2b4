import { expect, it } from 'vitest';
import { listRounds } from '../../../../../src/line/reports/task-report/list-rounds.ts';
import type { Facts } from '../../../../../src/line/record/facts.ts';
import { aChange, aFinding, aReport, aReview, admitted, moved } from '../../../../support/records.ts';

const written = moved('code_written', 'pending_implementer', 'pending_local_review', { change: aChange() });
const said = (facts: Facts) => moved('local_pass', 'pending_local_review', 'pending_local_review', facts);

it('the rounds of a task are numbered at each station, with what was gone in the next one', () => {
  const fails = aReview({ verdict: 'FAIL', findings: [aFinding({ severity: 'critical' })] });
  const facts = [{ review: fails }, { review: fails }, { review: aReview() }, { report: aReport() }];
  const rounds = listRounds([admitted(), written, ...facts.map(said)]);
  expect(rounds.map(({ by, number, verdict }) => [by, number, verdict])).toEqual([
    ['local-reviewer', 1, 'FAIL'],
    ['local-reviewer', 2, 'FAIL'],
    ['local-reviewer', 3, 'PASS'],
    ['judge', 1, 'PASS'],
  ]);
  expect(rounds.slice(0, 2).map(({ blocking }) => blocking.map((one) => one.gone_in_next_round))).toEqual([
    [false],
    [true],
  ]);
});
