import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/rules/model/finding.ts';
import { rulingSchema } from '../../../../src/rules/model/ruling.ts';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';
import {
  MESSAGE_CHECK_IDS,
  messageChecks,
  ruleOnMessage,
  type MessagePhase,
} from '../../../../src/line/stations/message-checks.ts';
import { aChange, aFile, aFinding, aRecord, aReport, aReview } from '../../../support/records.ts';

function checkOf<At extends MessagePhase>(phase: At, id: string): (typeof messageChecks)[At][number]['check'] {
  const found = messageChecks[phase].find((one) => one.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found.check;
}

describe('the message checks', () => {
  it('have ids of their own, and ask questions', () => {
    expect(new Set(MESSAGE_CHECK_IDS).size).toBe(10);
    const questions = Object.values(messageChecks).flatMap((checks) => checks.map(({ question }) => question));
    expect(questions.filter((question) => !/^[A-Z].{20,}\?$/.test(question))).toEqual([]);
  });
});

describe('a message', () => {
  it('that counts is no matter for a ruling', () => {
    expect(ruleOnMessage('review', aReview(), aRecord(), {})).toBeUndefined();
  });

  it('that does not count is ruled on as the journal keeps rulings, and stops nothing', () => {
    const ruling = ruleOnMessage('review', aReview({ verdict: 'FAIL' }), aRecord(), {});
    expect(rulingSchema().parse(ruling)).toEqual(ruling);
    expect(ruling).toMatchObject({
      moment: 'review',
      phase: 'REVIEW',
      found: [{ rule: 'no_finding', does: 'quick_fix', message: 'the reviewer said FAIL and named no finding' }],
    });
  });

  it('is held only to the checks of its own phase', () => {
    const report = aReport({ verdict: 'FAIL', blocking: [] });
    expect(ruleOnMessage('report', report, aRecord(), { unopened: 'change.diff' })).toBeUndefined();
  });
});

describe('no_change', () => {
  const noChange = checkOf('change', 'no_change');
  const idle = { kind: 'no-change', reason: 'it is there' } as const;

  describe('an implementer who says NO CHANGE', () => {
    it('is asked again, with his own reason before him', () => {
      expect(noChange(idle, aRecord(), { kept: 0 })).toBe(
        'You answered NO CHANGE (it is there), but the requirements are not met yet.',
      );
    });

    it('is heard where edits of his were taken before', () => {
      expect(noChange(idle, aRecord(), { kept: 1 })).toBeUndefined();
    });

    it('is told apart from one who changes something', () => {
      expect(noChange({ kind: 'change' }, aRecord(), { kept: 0 })).toBeUndefined();
    });
  });
});

describe('open_todo', () => {
  const openTodo = checkOf('change', 'open_todo');
  const record = aRecord();
  const [requirement = ''] = record.contract.specification.requirements;
  const said = (notes: string) => ({ kind: 'change', notes, edits: [] }) as const;

  describe('an implementer whose notes', () => {
    it('say that a requirement is not done is asked for the rest, in the words of the layer', () => {
      const why = openTodo(said(`${requirement}: not done yet.`), record, { kept: 0 });
      expect(why).toContain(`[SYSTEM] Remaining: 1 items. Next: ${requirement}`);
    });

    it.each(['As asked.', '', `${requirement}: done.`, 'The cache is not shared between workers.'])(
      'say %j is heard',
      (notes) => {
        expect(openTodo(said(notes), record, { kept: 0 })).toBeUndefined();
      },
    );

    it('say so again and again is heard after two refusals, and always where nothing is tracked', () => {
      const message = said(`${requirement}: not done yet.`);
      const off = { ...standardMessages(), todo_tracker: { enabled: false, reminder_on_incomplete: true } };
      expect(openTodo(message, { ...record, refusedAnswers: 2 }, { kept: 0 })).toBeUndefined();
      expect(openTodo(message, record, { kept: 0, settings: off })).toBeUndefined();
    });
  });
});

describe('no_finding', () => {
  const noFinding = checkOf('review', 'no_finding');
  describe('a local reviewer', () => {
    it.each([
      ['who says FAIL and names nothing is asked again', aReview({ verdict: 'FAIL' }), true],
      ['who says FAIL and what is wrong is heard', aReview({ verdict: 'FAIL', findings: [aFinding()] }), false],
      ['who passes is heard', aReview(), false],
    ])('%s', (_, review, objects) => {
      expect(noFinding(review, aRecord(), {})).toBe(
        objects ? 'the reviewer said FAIL and named no finding' : undefined,
      );
    });
  });
});

describe('ungrounded_finding', () => {
  const ungroundedFinding = checkOf('review', 'ungrounded_finding');
  const evidence = {
    shown: 'diff --git a/src/cart.js b/src/cart.js\n+  if (coupon) items = applyCoupon(items, coupon);',
    paths: ['src/cart.js', 'lib/tax.js'],
  };
  const change = aChange({ files: [aFile({ path: 'src/old-cart.js', status: 'deleted' })] });
  const { contract } = aRecord();
  const specification = { ...contract.specification, requirements: ['Describe coupons in docs/coupons.md'] };
  const record = aRecord({ change, contract: { ...contract, specification } });
  const finding = (changes: Partial<Finding>): Finding => ({
    source: 'reviewer',
    severity: 'high',
    category: 'bug',
    description: 'It fails for an empty cart.',
    security: false,
    ...changes,
  });
  const check = (...findings: readonly Finding[]) =>
    ungroundedFinding({ verdict: 'FAIL', critical: false, findings }, record, evidence);

  describe('a local review that blocks', () => {
    it('for a file that nobody has does not count', () => {
      expect(check(finding({ file: 'src/checkout.js' }))).toBe(
        'what the review blocks for is not there: src/checkout.js is neither in the change nor in the project',
      );
    });

    it('for code that does not exist does not count', () => {
      expect(check(finding({ file: 'src/cart.js', evidence: '`validateCoupon(coupon)` throws' }))).toContain(
        'validateCoupon is nowhere in what was shown',
      );
    });

    it.each([
      ['a file of the change', finding({ file: 'src/cart.js', line: 1 })],
      ['a file of the change as git writes it', finding({ file: 'b/src/cart.js' })],
      ['a file of the project', finding({ file: 'tax.js' })],
      ['a file that the change deletes', finding({ file: 'src/old-cart.js' })],
      ['code that was shown', finding({ evidence: 'applyCoupon(items, coupon)' })],
      ['code that is missing', finding({ evidence: 'It should call `validateCoupon(coupon)` first' })],
      ['no file at all', finding({})],
      ['a file that is missing', finding({ file: 'CHANGELOG.md', description: 'There is no entry in the changelog.' })],
      [
        'a changelog that is missing',
        finding({ file: 'CHANGELOG.md', description: 'It asks for an entry, but there is no changelog' }),
      ],
      ['a migration', finding({ file: 'migrations/2.sql', description: 'migrations/2.sql is missing' })],
      ['a test that nobody wrote', finding({ file: 'test/cart.test.js', line: 1, description: 'A test is missing.' })],
      ['a file that the contract names', finding({ file: 'docs/coupons.md', description: 'Requirement 2.' })],
      ['code that is not called', finding({ description: 'The check is missing.', evidence: 'validateCoupon(x)' })],
    ])('for %s counts', (_, one) => {
      expect(check(one)).toBeUndefined();
    });

    it('for missing code in a file that nobody has, with its line, does not count', () => {
      const one = { file: 'src/checkout.js', line: 33, evidence: 'total(cart)', description: 'There is no check.' };
      expect(check(finding(one))).toContain('src/checkout.js is neither');
    });

    it.each([
      [{ file: 'src/ghost.js', description: 'There is no check for an empty name in parseName' }],
      [{ file: 'src/ghost.js', description: 'src/ghost.js is missing a check' }],
      [{ file: 'src/ghost.js', line: 40, description: 'parseName accepts input without a limit' }],
      [{ description: 'ghostCall() runs without a timeout', evidence: 'const x = ghostCall(input)' }],
    ])('does not count for what is missing in invented files and code: %j', (one) => {
      expect(check(finding(one))).toContain('is not there');
    });

    it('counts where one of its findings may hold', () => {
      expect(check(finding({ file: 'src/checkout.js' }), finding({ file: 'src/cart.js' }))).toBeUndefined();
    });

    it('is not asked about findings that do not block', () => {
      expect(check(finding({ file: 'src/checkout.js', severity: 'low' }))).toBeUndefined();
    });
  });
});

describe('praising_review', () => {
  const praisingReview = checkOf('review', 'praising_review');
  const record = aRecord();

  describe('a local reviewer', () => {
    it.each([
      ['in his words', aReview(), 'Perfect implementation! Truly outstanding work!'],
      [
        'in words that are broken by signs nobody sees',
        aReview(),
        'Per\u200bfect implementation! Truly out\u00adstanding work!',
      ],
      ['in his findings', aReview({ findings: [aFinding({ description: 'Excellent work, superb design!' })] }), ''],
    ])('who only praises %s is asked again', (_, review, beside) => {
      expect(praisingReview(review, record, { beside })).toContain('[SYSTEM] Response rejected');
    });

    it.each([
      ['says nothing beside his verdict', aReview(), ''],
      ['introduces his answer', aReview(), 'Sure! Here is the review:'],
      ['fails the change', aReview({ verdict: 'FAIL' }), 'Perfect! Excellent!'],
      ['praises and shows', aReview(), 'Great catch in src/a.ts line 3; 42 tests pass.'],
    ])('who %s is heard', (_, review, beside) => {
      expect(praisingReview(review, record, { beside })).toBeUndefined();
    });

    it('who goes on praising is heard after two refusals', () => {
      const tired = { ...record, refusedAnswers: 2 };
      expect(praisingReview(aReview(), tired, { beside: 'Perfect! Excellent!' })).toBeUndefined();
    });
  });
});

describe('unfounded_pass', () => {
  const unfoundedPass = checkOf('review', 'unfounded_pass');
  const record = aRecord();

  describe('a PASS of the local reviewer', () => {
    it.each([
      ['denies that anything was looked at', 'I did not run the tests, but they should pass.'],
      ['puts its evidence off', 'The tests will be green after the rebase.'],
      ['tells of another task', 'In the previous task npm test passed.'],
      ['tells of something red', 'PASS although 3 tests fail.'],
    ])('that %s is asked for again', (_, beside) => {
      expect(unfoundedPass(aReview(), record, { beside })).toContain('[SYSTEM] APPROVE rejected');
    });

    it.each(['', 'Here is my review:', 'The guard comes before the call.'])('with the words %j counts', (beside) => {
      expect(unfoundedPass(aReview(), record, { beside })).toBeUndefined();
    });

    it('is no matter where the reviewer says FAIL, or was sent back twice', () => {
      const beside = 'I did not run the tests, they should pass.';
      expect(unfoundedPass(aReview({ verdict: 'FAIL' }), record, { beside })).toBeUndefined();
      expect(unfoundedPass(aReview(), { ...record, refusedAnswers: 2 }, { beside })).toBeUndefined();
    });
  });
});

describe('unopened_change', () => {
  const unopenedChange = checkOf('report', 'unopened_change');
  const unopened = 'change.diff';

  describe('a judge', () => {
    it('who passes what his program has not opened is asked again, and told what to open', () => {
      expect(unopenedChange(aReport(), aRecord(), { unopened })).toBe(
        "the judge says PASS, but its program's log does not show that it opened change.diff, the change",
      );
    });

    it('who has opened the change, or judges outside, is heard', () => {
      expect(unopenedChange(aReport(), aRecord(), { unopened: undefined })).toBeUndefined();
    });

    it.each(['CONDITIONAL', 'FAIL', 'CRITICAL_HALT'] as const)('who says %s is heard, whatever he read', (verdict) => {
      expect(unopenedChange(aReport({ verdict }), aRecord(), { unopened })).toBeUndefined();
    });
  });
});

describe('unfounded_report', () => {
  const unfoundedReport = checkOf('report', 'unfounded_report');
  const unopened = undefined;

  describe('a judge who says PASS', () => {
    it.each([
      ['and praises', 'Perfect! A flawless, outstanding implementation!', '[SYSTEM] Response rejected'],
      [
        'and has not looked, in broken words',
        'Tests were n\u200bot run and the build was n\u200bot checked.',
        'APPROVE rejected',
      ],
      ['and has not looked', 'Tests were not run and the build was not checked.', '[SYSTEM] APPROVE rejected'],
    ])('%s is asked again', (_, summary, why) => {
      expect(unfoundedReport(aReport({ summary }), aRecord(), { unopened })).toContain(why);
    });

    it.each(['', 'The judge says PASS.', 'Every requirement is met; the quoted line shows the expiry.'])(
      'and sums up %j is heard',
      (summary) => {
        expect(unfoundedReport(aReport({ summary }), aRecord(), { unopened })).toBeUndefined();
      },
    );

    it('and goes on praising is heard the third time: what he quotes was proven', () => {
      const summary = 'Perfect! A flawless, outstanding implementation!';
      const again = (unreadableReports: number) =>
        unfoundedReport(aReport({ summary }), { ...aRecord(), unreadableReports }, { unopened });
      expect(again(1)).toContain('[SYSTEM] Response rejected');
      expect(again(2)).toBeUndefined();
    });

    it('is heard where nothing is checked, and whoever fails the change always', () => {
      const summary = 'Perfect! Outstanding!';
      const off = { ...standardMessages(), enabled: false };
      expect(unfoundedReport(aReport({ summary }), aRecord(), { unopened, settings: off })).toBeUndefined();
      expect(unfoundedReport(aReport({ summary, verdict: 'FAIL' }), aRecord(), { unopened })).toBeUndefined();
    });
  });
});

describe('untrue_notes', () => {
  const untrueNotes = checkOf('change', 'untrue_notes');
  const check = (notes: string, evidence = {}, record = aRecord()) =>
    untrueNotes({ kind: 'change', edits: [{ path: 'src/dates/format.ts' }], notes }, record, {
      kept: 0,
      ...evidence,
    });

  describe('notes of an implementer', () => {
    it('that name a file as changed which the answer leaves alone are refused, with what is missing', () => {
      expect(check('Changed src/dates/format.ts and the export. I also updated the file `src/index.ts`.')).toBe(
        'Your notes say that you changed src/index.ts, but your answer holds nothing for it: give its block, or say what you really changed.',
      );
    });

    it.each([
      '- Created `src/index.ts`',
      'I fixed the export, and I also rewrote src/index.ts.',
      'We have modified **src/index.ts**, which exports it.',
    ])('are refused: %s', (notes) => {
      expect(check(notes)).toContain('you changed src/index.ts');
    });

    it.each([
      'I changed format.ts so that dates are in UTC.',
      'Nothing changed in src/index.ts.',
      'The bug came in when commit 1a2b3c4 changed src/index.ts.',
      'I fixed format.ts; nobody else modified src/index.ts.',
      'When a user has edited settings.json, the app reloads it.',
      'The build writes the updated dist/app.js, which git ignores.',
      'Watches for changed src/*.ts files.',
      'Added dist/app.js to tsconfig.json.',
      'I removed src/index.ts from the list of exports.',
      'We rewrote src/index.ts last week.',
      'Updated src/dates/format.ts.',
      'I have not changed src/index.ts.',
      'src/index.ts should be updated in a task of its own.',
      'It is read by src/index.ts, which stays as it is.',
      'Is src/index.ts to be updated?',
      '',
    ])('count: %s', (notes) => {
      expect(check(notes)).toBeUndefined();
    });

    it('may name what was kept of an earlier answer, and what an earlier attempt changed', () => {
      expect(check('Updated src/index.ts.', { keptPaths: ['src/index.ts'] })).toBeUndefined();
      const change = aChange({ files: [aFile({ path: 'src/index.ts', status: 'modified' })] });
      expect(check('Updated src/index.ts.', {}, aRecord({ change }))).toBeUndefined();
    });

    it('are not compared where nothing was changed', () => {
      expect(untrueNotes({ kind: 'no-change', reason: 'Updated x.ts' }, aRecord(), { kept: 1 })).toBeUndefined();
    });
  });
});

describe('off_topic_report', () => {
  const offTopicReport = checkOf('report', 'off_topic_report');
  const diff = 'diff --git a/docs/guide.md b/docs/guide.md\n+Merge both guides here.';
  const elsewhere = {
    summary: 'The weather in Oslo will be cloudy with heavy showers towards evening.',
    verdict: 'FAIL' as const,
    blocking: [],
    fixes: [],
    evidence: [],
  };

  describe('a report', () => {
    it('about something else than contract and change does not count', () => {
      expect(offTopicReport(aReport(elsewhere), aRecord(), { unopened: undefined, diff })).toBe(
        'the report speaks neither of what the contract requires nor of anything that the change holds',
      );
    });

    it.each([
      ['about the contract', { ...elsewhere, summary: 'Both guides are merged.' }],
      [
        'about a word of the change',
        { ...elsewhere, summary: 'Heavy showers towards evening: "here" stands twice, once too often.' },
      ],
      ['that quotes a line', { ...elsewhere, evidence: aReport().evidence }],
      ['that says next to nothing', { ...elsewhere, summary: 'ok' }],
      ['that calls a human', { ...elsewhere, verdict: 'CRITICAL_HALT' as const }],
    ])('%s counts', (_, changes) => {
      expect(offTopicReport(aReport(changes), aRecord(), { unopened: undefined, diff })).toBeUndefined();
    });

    it('is not compared without the change', () => {
      expect(offTopicReport(aReport(elsewhere), aRecord(), { unopened: undefined })).toBeUndefined();
    });
  });
});
