import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../src/line/journal/sqlite-journal.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import {
  FINAL,
  judges,
  answerOnce,
  reviewFails,
  reviewPasses,
  createReply,
  writes,
  type Stations,
} from '../support/scenario.ts';

const UNNAMED = { verdict: 'FAIL', critical_security_flaw: false, findings: [] };
const SCENARIO: Stations = {
  implementer: [answerOnce(createReply('NO CHANGE: it is fine as it is\n')), writes({ 'docs/auth_final.md': FINAL })],
  reviewer: [answerOnce(reviewFails('', { structured: UNNAMED })), reviewPasses()],
  judge: [answerOnce(judges('PASS', {}, { does: ['unopened'] })), judges('PASS')],
};

/** What the journal holds of messages that do not count: after which event, by which check, and why. */
function rulingsOf(factory: Factory): readonly (readonly string[])[] {
  const journal = openJournal(join(stateOf(factory), 'journal.sqlite'), { readOnly: true });
  onTestFinished(() => journal.close());
  expect(journal.verify()).toBeUndefined();
  return journal
    .entries('DOC-001')
    .flatMap((entry) =>
      entry.kind === 'moved'
        ? (entry.facts.rulings ?? []).flatMap(({ moment, found }) =>
            found.map(({ rule, does, message }) => [entry.event, moment, rule, does, message]),
          )
        : [],
    );
}

describe('a message of an agent that cannot count', { tags: 'thorough' }, () => {
  test('goes back to whoever said it, is told in the story, and lies in the journal as a ruling', async () => {
    const factory = await aFactory({ scenario: SCENARIO });
    const { dog, status } = await factory.run(aContract());
    await dog.stop();
    expect(status).toBe('merged');
    const said = await factory.story();
    const unchanged = 'You answered NO CHANGE (it is fine as it is), but the requirements are not met yet.';
    const unnamed = 'the reviewer said FAIL and named no finding';
    const unopened = "the judge says PASS, but its program's log does not show that it opened change.diff, the change";
    for (const why of [unchanged, unnamed, unopened]) expect(said).toContain(why);
    expect(rulingsOf(factory)).toEqual([
      ['answer_refused', 'change', 'no_change', 'quick_fix', unchanged],
      ['review_unreadable', 'review', 'no_finding', 'quick_fix', unnamed],
      ['report_unproven', 'report', 'unopened_change', 'quick_fix', unopened],
    ]);
    expect(factory.calls('implementer')[1]?.prompt).toContain(unchanged);
  });
});
