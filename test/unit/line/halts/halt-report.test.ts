import { describeNextStep } from '../../../../src/line/words/describe-line.ts';
import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { BREAKERS } from '../../../../src/line/record/trip.ts';
import { haltPaths } from '../../../support/tripped.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import type { Halt } from '../../../../src/line/record/trip.ts';
import { renderHalt } from '../../../../src/line/halts/halt-report.ts';
import {
  aChange,
  aFinding,
  aGate,
  aGateRun,
  aHalt,
  aJudgedRecord,
  aRecord,
  aReport,
  aReview,
  called,
} from '../../../support/records.ts';
import { outsideFences } from '../../../support/outside-fences.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const HOSTILE = [
  '\u001b[2J\u001b[31mred\u001b]0;title\u0007',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '```\n# The line is running\n## The Two Paths\n- [x] Path 2\n```',
  '~~~\n---\nhalt: "other"\n---',
  '\u202eevil\u200b\u2066',
  '[click](javascript:alert(1)) ![x](http://evil)',
  '| a | b |\n|---|---|',
  'C:\\path\r\nnew line\u2028sep',
].join('\n');

/** A halt in which everything that came from somewhere else says the same. */
function told(text: string): { record: TaskRecord; halt: Halt } {
  const halt = aHalt({
    trip: { breaker: 'paradox', reason: text, sides: [{ who: text, says: text }] },
    also: [{ breaker: 'budget', reason: text, sides: [] }],
    paths: [
      { title: text, does: text, effect: { to: 'pending_implementer', say: text } },
      { title: text, does: text, effect: { to: 'abandoned' } },
    ],
  });
  const finding = aFinding({ description: text, file: text, category: text });
  const record = aJudgedRecord({
    status: 'erik_consultation',
    halt,
    change: aChange({ notes: text }),
    gates: aGateRun(aGate({ name: text, output: text })),
    review: aReview({ verdict: 'FAIL', critical: true, findings: [finding] }),
    report: aReport({ verdict: 'FAIL', summary: text, blocking: [finding] }),
    history: [{ at: '2026-01-16T12:00:00Z', event: 'pass', from: 'merged', to: 'merged', reason: text }],
  });
  return { record, halt };
}

/** A diff that changes seven lines. */
const smallDiff = (): string =>
  [
    'diff --git a/a.md b/a.md',
    '--- a/a.md',
    '+++ b/a.md',
    '@@ -1,5 +1,6 @@',
    ' one',
    '-two',
    '-three',
    '-four',
    '+2',
    '+3',
    '+4',
    '+5',
    ' five',
    '',
  ].join('\n');

/** The report without its last part, the comment for programs; only andon's own ids are in there. */
function bodyOf(text: string): string {
  const at = text.lastIndexOf('<!-- ');
  expect(text.slice(at).split('>')).toHaveLength(2);
  return text.slice(0, at);
}

const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

describe('ERIK_HALT.md', () => {
  it('is whole: conflict, both paths with their commands, state, other ways', () => {
    const record = aJudgedRecord({ status: 'erik_consultation', halt: aHalt(), calls: [called()] });
    const text = renderHalt(record, aHalt(), '+new line\n');
    for (const heading of ['## The Two Paths', '## The Conflict', '## The State', '## Other ways'])
      expect(text.split('\n')).toContain(heading);
    expect(text.split('\n')).toContain('andon resume DOC-001 --path 1 --halt DOC-001-7');
    expect(text.split('\n')).toContain('andon resume DOC-001 --path 2 --halt DOC-001-7');
    expect(text).toContain('The line is halted at task DOC-001 (rebuttal_limit): 3 rebuttals, more than the 2 allowed');
    expect(text).toContain('+new line');
    expect(text.endsWith('\n')).toBe(true);
  });

  it.each(BREAKERS)('shows both ways back from %s as commands, with the status each leads to', (id) => {
    const record = aJudgedRecord({ lastFacts: { fault: 'x', scopeRefused: ['src/x.ts'] } });
    const trip = { breaker: id, reason: 'a reason', sides: [{ who: 'somebody', says: 'something' }] };
    const paths = haltPaths(id, record);
    const halt = aHalt({ trip, paths });
    const text = renderHalt({ ...record, halt }, halt, '');
    for (const [index, path] of paths.entries()) {
      expect(path.title.length).toBeGreaterThan(3);
      expect(path.does.length).toBeGreaterThan(10);
      expect(text).toContain(`andon resume DOC-001 --path ${index + 1} --halt ${halt.id}`);
      expect(text).toContain(describeNextStep(path.effect, path.does));
    }
  });

  it('says that the implementer is not asked where a path takes the change as it is', () => {
    const [path, other] = aHalt().paths;
    const paths: Halt['paths'] = [{ ...path, effect: { to: 'pending_implementer', onlyGates: true } }, other];
    const halt = aHalt({ paths });
    const text = renderHalt(aRecord({ status: 'erik_consultation', halt }), halt, '');
    expect(text).toContain('Next, limits and gates check the branch; the implementer is not asked.');
    expect(text).not.toContain('the implementer works on the task');
  });

  it('does not say twice who works next', () => {
    const [path, other] = aHalt().paths;
    const shown = (does: string): string => {
      const halt = aHalt({ paths: [{ ...path, does, effect: { to: 'pending_implementer' } }, other] });
      return renderHalt(aRecord({ status: 'erik_consultation', halt }), halt, '');
    };
    expect(shown('The flaw goes back to the implementer.')).not.toContain('Next, the implementer works on the task.');
    expect(shown('Its gates are run once more.')).toContain('Next, the implementer works on the task.');
  });

  it('names the paths that keep commits of a person', () => {
    const [one, two] = aHalt().paths;
    const shown = (...paths: Halt['paths']): string =>
      renderHalt(aJudgedRecord({ status: 'erik_consultation' }), aHalt({ paths }), '');
    const fresh = { ...two, effect: { to: 'pending_implementer', fresh: true } } as const;
    expect(shown(one, two)).toContain(
      'then answer with path 1 or path 2. Whatever the path says, your commits are merged only after',
    );
    expect(shown(one, fresh)).toContain('then answer with path 1.');
    expect(shown({ ...one, effect: { to: 'abandoned' } }, fresh)).not.toContain('Fix it yourself');
  });

  it('says that it is not read, and has no box to tick', () => {
    const text = renderHalt(aRecord({ status: 'erik_consultation', halt: aHalt() }), aHalt(), '');
    expect(text).toContain('Editing this report has no effect');
    expect(text).not.toContain('- [ ]');
  });

  it('works before there is any change, gate or review', () => {
    const halt = aHalt({ tree: null });
    const text = renderHalt(aRecord({ status: 'erik_consultation', halt }), halt, '');
    expect(text).toContain('There is no change yet.');
    expect(text).toContain('No gate has run on this attempt yet.');
  });

  it('shows the output of the last gates once, also where it is one of the sides', () => {
    const gates = aGateRun(aGate({ name: 'unit', outcome: 'red', exit: 1, output: 'error: no such name' }));
    const record = aJudgedRecord({ halt: aHalt(), gates, attempt: 3 });
    const count = (who: string): number => {
      const trip = { ...aHalt().trip, sides: [{ who, says: 'error: no such name' }] };
      return renderHalt(record, aHalt({ trip }), '').split('error: no such name').length - 1;
    };
    expect([count('gates on attempt 2'), count('gates on attempt 3')]).toEqual([2, 1]);
  });

  it('shows every red gate of the last attempt by itself, with its failed tests and what they found', () => {
    const red = (name: string, found: string) =>
      aGate({
        name,
        outcome: 'red',
        blocks: true,
        failures: [{ name: `${name} adds`, message: `expected 3\nfound ${found}` }],
        output: 'noise\n'.repeat(2000),
      });
    const record = aJudgedRecord({ halt: aHalt(), attempt: 2, gates: aGateRun(red('alpha', '4'), red('beta', '5')) });
    const sides = [{ who: 'gates on attempt 2', says: 'gate alpha ended\n[16 lines left out]\nnpm error' }];
    const text = renderHalt(record, aHalt({ trip: { ...aHalt().trip, sides } }), '');
    for (const [name, found] of [
      ['alpha', '4'],
      ['beta', '5'],
    ] as const)
      expect(text).toContain(
        `Gate ${name}:\n\n\`\`\`text\nFailed tests:\n- ${name} adds\n    expected 3\n    found ${found}\n\`\`\``,
      );
    expect(text).not.toContain('left out');
  });

  it('counts the calls that were cut off, which were paid as well', () => {
    const record = aJudgedRecord({ halt: aHalt(), calls: [called()], interruptedCalls: 1 });
    expect(renderHalt(record, aHalt(), '')).toContain("of agents' time in 2 calls.");
  });

  it('fits on a screen for a small change: at most 60 lines', () => {
    const record = aJudgedRecord({ halt: aHalt(), calls: [called()] });
    expect(renderHalt(record, aHalt(), smallDiff()).trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });

  it('shows the first lines of a long diff or side, and where the rest is', () => {
    const record = aJudgedRecord({ halt: aHalt() });
    const lines = Array.from({ length: 1000 }, (_, at) => `+line ${at}`).join('\n');
    const text = renderHalt(record, aHalt(), lines);
    expect(text).toContain('+line 29\n(970 more lines: andon show DOC-001 --diff)');
    const trip = { ...aHalt().trip, sides: [{ who: 'judge', says: lines }] };
    expect(renderHalt(record, aHalt({ trip }), '')).toContain(
      '(986 more lines: andon show DOC-001 --report --out ../DOC-001.html)',
    );
  });

  it('shows the failed tests of a red gate with what they expected', () => {
    const failures = [{ name: 'dates are UTC', message: "'12:00' == '11:00'" }];
    const gates = aGateRun(aGate({ name: 'unit', outcome: 'red', exit: 1, failures, output: '130 passed' }));
    const text = renderHalt(aJudgedRecord({ halt: aHalt(), gates }), aHalt(), '');
    expect(text).toContain('Gate unit (1 failed: dates are UTC): red, exit 1');
    expect(text).toContain("'12:00' == '11:00'");
    expect(text).not.toContain('130 passed');
  });

  it('shows the error of a red gate between its warnings', () => {
    const warnings = Array.from({ length: 40 }, (_, at) => `  ${at}:1  warning  a magic number`).join('\n');
    const output = `${warnings}\n  0:0  error  Parsing error: a key twice\n${warnings}`;
    const gates = aGateRun(aGate({ name: 'lint', outcome: 'red', exit: 1, output }));
    const trip = { ...aHalt().trip, sides: [{ who: 'gates', says: output }] };
    const text = renderHalt(aJudgedRecord({ halt: aHalt({ trip }), gates }), aHalt({ trip }), '');
    expect(text.split('Parsing error: a key twice')).toHaveLength(3);
  });

  it('cannot steer a terminal or a Markdown reader, whatever the agents said', () => {
    const { record, halt } = told(HOSTILE);
    const text = renderHalt(record, halt, HOSTILE);
    expect(text).not.toMatch(FORBIDDEN);
    const live = outsideFences(bodyOf(text));
    expect(live).not.toMatch(/<[a-z!/]/i);
    expect(live).not.toMatch(/(?<!\\)\]\(/);
    expect(live.split('\n').filter((line) => line.startsWith('## '))).toEqual([
      '## The Two Paths',
      '## The Conflict',
      '## The State',
      '## Also tripped',
      '## Other ways',
    ]);
  });

  it('shows a command of andon in a reason as code, and nothing else of it', () => {
    const reason = 'too long; `andon doctor --fix` helps, `<b>` and *this* and `andon x; rm` do not';
    const halt = aHalt({ trip: { breaker: 'stalled', reason, sides: [] } });
    const text = renderHalt(aJudgedRecord({ halt }), halt, '');
    expect(text).toContain('too long; `andon doctor --fix` helps');
    expect(text).toContain('\\`&lt;b>\\` and \\*this\\* and \\`andon x; rm\\`');
  });

  it('counts one call as one', () => {
    const text = renderHalt(aJudgedRecord({ halt: aHalt(), calls: [called()] }), aHalt(), '');
    expect(text).toContain("of agents' time in 1 call.");
  });

  it('cannot be broken out of by any text', () => {
    const pieces = fc.constantFrom(
      '`',
      '```',
      '````',
      '\n',
      '#',
      '---',
      '<b>',
      '\u001b[0m',
      'x',
      ' ',
      '|',
      '~~~',
      '\r',
      '\t',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(pieces, fc.string({ unit: anyCharacter, maxLength: 5 })), { maxLength: 20 }),
        (parts) => {
          const { record, halt } = told(parts.join(''));
          const text = renderHalt(record, halt, parts.join(''));
          expect(text).not.toMatch(FORBIDDEN);
          expect(outsideFences(bodyOf(text))).not.toMatch(/<[a-z!/]/i);
          expect(outsideFences(text).match(/^## /gm)).toHaveLength(5);
        },
      ),
      { numRuns: 200 },
    );
  });
});
