import { describe, expect, it } from 'vitest';
import type { RuleFinding, Subject, SubjectFile, Waiver } from '../../../../src/rules/model/inspection.ts';
import { NO_SUPPRESSIONS, suppress } from '../../../../src/rules/enforce/suppress.ts';
import { expectEffortBelow } from '../../../support/effort.ts';
import { aFinding } from '../../../support/inspections.ts';

const NOW = '2026-06-15T10:00:00Z';

const fileOf = (path: string, ...lines: readonly string[]): SubjectFile => ({
  path,
  change: 'whole',
  binary: false,
  content: lines.join('\n'),
  added: lines.map((text, at) => ({ line: at + 1, text })),
});

const subject = (...files: readonly SubjectFile[]): Subject => ({ files });
const SUBJECT = subject(fileOf('src/a.ts', '', '', 'const a = broken;'));
const waiver = (part: Partial<Waiver> = {}): Waiver => ({
  rule: 'R-1',
  reason: 'until the rewrite',
  owner: 'ann',
  expires: '2026-12-31',
  ...part,
});
const withWaiver = (given: Waiver, finding: Partial<RuleFinding> = {}, now = NOW) =>
  suppress([aFinding(finding)], SUBJECT, { ...NO_SUPPRESSIONS, waivers: [given] }, now);

describe('a waiver', () => {
  it('keeps a finding from counting, and leaves it visible with reason, owner and last day', () => {
    const { findings, warnings } = withWaiver(waiver());
    expect(findings[0]?.suppressed).toEqual({
      by: 'waiver',
      reason: 'until the rewrite',
      owner: 'ann',
      expires: '2026-12-31',
    });
    expect(warnings).toEqual([]);
  });

  it('that suppresses nothing is said, unless it speaks about paths that were not looked at', () => {
    expect(withWaiver(waiver({ rule: 'R-2' })).warnings).toEqual(['the waiver for R-2 (ann) suppresses nothing here']);
    expect(withWaiver(waiver({ rule: 'R-2', path: 'docs/**' })).warnings).toEqual([]);
  });

  it.each<Partial<RuleFinding>>([
    { priority: 'P0', enforcedBy: 'hard_constraint' },
    { hard: true },
    { waivable: false },
  ])('of what holds in every mode takes a signature: %o', (strict) => {
    const unsigned = withWaiver(waiver(), strict);
    expect(unsigned.findings[0]?.suppressed).toBeUndefined();
    expect(unsigned.warnings[0]).toContain('only with signed_by');
    expect(withWaiver(waiver({ signed_by: 'Ann Lee' }), strict).findings[0]?.suppressed?.by).toBe('waiver');
  });

  it('never suppresses what could not be checked', () => {
    expect(withWaiver(waiver(), { status: 'ERROR' }).findings[0]?.suppressed).toBeUndefined();
  });
});

describe('a comment andon-allow', () => {
  const allowed = (at: number, finding: Partial<RuleFinding>, ...lines: readonly string[]) =>
    suppress([aFinding({ line: at, ...finding })], subject(fileOf('src/a.ts', ...lines)), NO_SUPPRESSIONS, NOW);

  it.each([
    ['on the line itself', 1, ['const a = broken; // andon-allow R-1: old name of the API']],
    ['on the line before', 2, ['# andon-allow R-1: old name of the API', 'a = broken']],
    ['that names several rules', 1, ['x // andon-allow R-0, R-1: old name of the API']],
    ['behind a string', 1, ['x("http://a", \'"\') // andon-allow R-1: old name of the API']],
    ['behind a pattern with a quote', 1, ['const re = /"/; // andon-allow R-1: old name of the API']],
    ['behind an apostrophe', 1, ["f(x: &'a str) // andon-allow R-1: old name of the API"]],
    ['in a comment with code behind it', 1, ['/* andon-allow R-1: old name of the API */ x();']],
    ['in a comment with an end', 1, ['x /* andon-allow R-1: old name of the API */']],
  ])('%s allows the finding, with its reason', (_, at, lines) => {
    expect(allowed(at, {}, ...lines).findings[0]?.suppressed).toEqual({ by: 'inline', reason: 'old name of the API' });
  });

  it.each(['// andon-allow R-1: the glob src/**/*.ts needs it', '# andon-allow R-1: maps a --> b'])(
    'ends only as it began: %s',
    (line) => {
      expect(allowed(2, {}, line, 'broken();').findings[0]?.suppressed?.reason).toBe(line.replace(/^.*?: /, ''));
    },
  );

  it('behind code speaks about its own line, not about the next', () => {
    const { findings, warnings } = allowed(2, {}, 'ok(); // andon-allow R-1: because', 'broken();');
    expect(findings[0]?.suppressed).toBeUndefined();
    expect(warnings).toEqual(['src/a.ts:1: andon-allow R-1 suppresses nothing']);
  });

  it('without a reason does not count, and that is said', () => {
    const { findings, warnings } = allowed(1, {}, 'broken(); // andon-allow R-1');
    expect(findings[0]?.suppressed).toBeUndefined();
    expect(warnings[0]).toContain('gives no reason');
  });

  it.each([
    '/* andon-allow R-1: */ broken();',
    'broken(); /* andon-allow R-1: */ other();',
    '<!-- andon-allow R-1: --> <b>broken</b>',
    'broken("andon-allow R-1: because");',
    "broken('andon-allow R-1: because');",
    'broken(`see andon-allow R-1: because`);',
    "broken('see andon-allow R-1: because');",
    'this.#log("andon-allow R-1: because");',
    'i--; broken("andon-allow R-1: because");',
  ])('that ends before its reason, or is in a string, does not count: %s', (line) => {
    expect(allowed(1, {}, line).findings[0]?.suppressed).toBeUndefined();
  });

  it('before code speaks about its own line', () => {
    const { findings } = allowed(2, {}, '/* andon-allow R-1: because */ broken();', 'broken();');
    expect(findings[0]?.suppressed).toBeUndefined();
  });

  it.each([
    ['andon-allow r-1: because', 'andon-allow r-1 suppresses nothing'],
    ['andon-allow *: because', 'andon-allow * does not count; name the rule'],
    ['andon-allow R-*: because', 'andon-allow R-* does not count; name the rule'],
  ])('that is written as %s allows nothing, and that is said', (mark, said) => {
    const { findings, warnings } = allowed(1, {}, `broken(); // ${mark}`);
    expect(findings[0]?.suppressed).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining(said)]);
  });

  it('cannot allow a hard constraint or a P0 rule', () => {
    const { findings, warnings } = allowed(1, { priority: 'P0' }, 'broken(); // andon-allow R-1: because');
    expect(findings[0]?.suppressed).toBeUndefined();
    expect(warnings[0]).toContain('.andon/waivers.yaml');
  });

  describe('where a model made the change', () => {
    const onLine = { ...NO_SUPPRESSIONS, trustsOwnMarks: false };
    const looked = (given: typeof onLine, lines: readonly string[], added: readonly number[], line: number) => {
      const whole = fileOf('src/a.ts', ...lines);
      const file: SubjectFile = {
        ...whole,
        change: 'modified',
        added: whole.added.filter((one) => added.includes(one.line)),
      };
      return suppress([aFinding({ line })], subject(file), given, NOW);
    };
    const marked = ['// andon-allow R-1: because', 'broken();', ''];

    it('does not count when the change wrote it itself', () => {
      const own = looked(onLine, marked, [1, 2], 2);
      expect(own.findings[0]?.suppressed).toBeUndefined();
      expect(own.warnings[0]).toContain('wrote it');
    });

    it('that is older covers the line that stood there before, and not one that the change slips in', () => {
      expect(looked(onLine, marked, [3], 2).findings[0]?.suppressed?.by).toBe('inline');
      const slipped = looked(onLine, marked, [2], 2);
      expect(slipped.findings[0]?.suppressed).toBeUndefined();
      expect(slipped.warnings).toEqual([
        'src/a.ts:1: andon-allow R-1 does not count for line 2: the checked change wrote that line',
      ]);
    });

    it('covers new lines too where a human is believed', () => {
      const { trustsOwnMarks: _, ...human } = onLine;
      expect(looked({ ...human, trustsOwnMarks: true }, marked, [2], 2).findings[0]?.suppressed?.by).toBe('inline');
      expect(looked({ ...human, trustsOwnMarks: true }, marked, [1, 2], 2).findings[0]?.suppressed?.by).toBe('inline');
    });
  });

  it('may stand on two hundred thousand lines without taking long or filling the screen', () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `a(); // andon-allow R-1: number ${at}`);
    const findings = Array.from({ length: 20_000 }, (_, at) => aFinding({ line: at + 1 }));
    const added = lines.map((text, at) => ({ line: at + 1, text }));
    const file: SubjectFile = { path: 'src/a.ts', change: 'whole', binary: false, content: lines.join('\n'), added };
    expectEffortBelow(300, () => {
      const suppressed = suppress(findings, subject(file), NO_SUPPRESSIONS, NOW);
      expect(suppressed.findings.every((one) => one.suppressed?.by === 'inline')).toBe(true);
      expect(suppressed.warnings).toHaveLength(51);
    }); // looked up line by line it is some 50; in every line for every mark, tens of thousands
  });

  it('in old lines of a changed file is not called unused', () => {
    const old: SubjectFile = {
      ...fileOf('src/a.ts', '// andon-allow R-9: old', 'x', 'y'),
      change: 'modified',
      added: [{ line: 3, text: 'y' }],
    };
    expect(suppress([], subject(old), NO_SUPPRESSIONS, NOW).warnings).toEqual([]);
  });
});

describe('the baseline', () => {
  const entry = { rule: 'R-1', path: 'src/a.ts', fingerprint: 'f'.repeat(64) };

  it('keeps a finding that was there before from counting', () => {
    const { findings } = suppress([aFinding()], SUBJECT, { ...NO_SUPPRESSIONS, baseline: [entry] }, NOW);
    expect(findings[0]?.suppressed?.by).toBe('baseline');
  });

  it('does not hold P0 rules', () => {
    const { findings } = suppress(
      [aFinding({ priority: 'P0' })],
      SUBJECT,
      { ...NO_SUPPRESSIONS, baseline: [entry] },
      NOW,
    );
    expect(findings[0]?.suppressed).toBeUndefined();
  });

  it('says how many of its findings are gone', () => {
    const { warnings } = suppress([], SUBJECT, { ...NO_SUPPRESSIONS, baseline: [entry] }, NOW);
    expect(warnings).toEqual(["1 of the baseline's findings is gone; --update-baseline forgets them"]);
  });

  it('calls no finding gone whose rule was skipped or gave no answer', () => {
    const given = { ...NO_SUPPRESSIONS, baseline: [entry] };
    expect(suppress([], SUBJECT, { ...given, skippedRules: new Set(['R-1']) }, NOW).warnings).toEqual([]);
    expect(suppress([aFinding({ status: 'UNDECIDED' })], SUBJECT, given, NOW).warnings).toEqual([]);
  });
});
