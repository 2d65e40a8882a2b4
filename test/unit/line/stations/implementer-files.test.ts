import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { formatBriefContext } from '../../../../src/line/record/brief-context.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { estimateTokens, computePromptRoom } from '../../../../src/base/estimate-tokens.ts';
import {
  countPartBytes,
  fitOffers,
  extractExcerpt,
  listSearchWords,
} from '../../../../src/line/stations/implementer-files.ts';
import type { ShownFile } from '../../../../src/line/stations/describe-contract.ts';
import { briefImplementer } from '../../../../src/line/stations/brief-implementer.ts';
import { aBrief, aView } from '../../../support/implementer-view.ts';
import { BASE, aFinding, aRecord, aReport } from '../../../support/records.ts';

const file = (path: string, text: string): ShownFile => ({ path, text });
const code = (count: number, name = 'step'): string =>
  Array.from({ length: count }, (_, at) => `export function ${name}${at}() {\n  return ${at};\n}\n`).join('');
const near = (path: string, text: string, isTied = false, mayChange = false) => ({ path, text, isTied, mayChange });

describe('what a brief shows', () => {
  const view = aView({
    targets: [file('src/target.ts', code(20))],
    inQuestion: [file('src/source.ts', code(20, 'source'))],
    neighbours: [near('src/near.ts', code(5, 'near'), true), near('src/far.ts', code(5, 'far'))],
  });

  it('is everything where there is room: files in question whole, neighbours by their declarations, near ones whole', () => {
    const { context, prompt } = aBrief(aRecord(), { ...view, window: 32_768 });
    expect(context).toMatchObject({
      window: 32_768,
      tokens: estimateTokens(prompt),
      signatures: ['src/far.ts'],
      leftOut: [],
    });
    expect(context.whole.map(({ path }) => path)).toEqual(['src/target.ts', 'src/source.ts', 'src/near.ts']);
    expect(prompt).toContain('neighbour src/near.ts (to read, not to change)');
    expect(prompt).not.toContain('not shown');
  });

  it('says of no file that may be changed that it is only to read', () => {
    const inScope = aView({
      neighbours: [near('src/a.ts', code(5), true, true), near('src/b.ts', code(5, 'b'), true)],
    });
    const { prompt } = aBrief(aRecord(), { ...inScope, window: 32_768 });
    expect(prompt).toContain(' file src/a.ts\n');
    expect(prompt).toContain('neighbour src/b.ts (to read, not to change)');
  });

  it('tells why blocks were refused that were corrected in vain', () => {
    const failed = [{ path: 'src/a.ts', search: 'tow\n', replace: 'two\n', why: 'SEARCH text 1 is not in the file' }];
    const record = { ...aRecord(), refusedAnswers: 3, partial: { head: BASE, kept: [], failed } };
    const { prompt } = aBrief(record, { ...view, head: BASE, window: 32_768 });
    expect(prompt).toContain('src/a.ts: SEARCH text 1 is not in the file');
    expect(prompt).not.toContain('corrected blocks only');
  });

  it('becomes less in the order of worth: whole neighbours first, then signatures, then other files in question', () => {
    const sizes = Array.from({ length: 20 }, (_, at) => 2400 - at * 60);
    const shown = sizes.flatMap((window) => {
      const brief = briefImplementer(aRecord(), { ...view, window });
      if (!brief.ok) return [];
      expect(estimateTokens(brief.value.prompt)).toBeLessThanOrEqual(computePromptRoom(window));
      const { whole, signatures, leftOut } = brief.value.context;
      return [`${whole.length} whole, ${signatures.length} signatures, ${leftOut.length} left out`];
    });
    expect([...new Set(shown)]).toEqual([
      '3 whole, 1 signatures, 0 left out',
      '2 whole, 2 signatures, 0 left out',
      '2 whole, 1 signatures, 1 left out',
      '2 whole, 0 signatures, 1 left out',
      '1 whole, 3 signatures, 0 left out',
      '1 whole, 2 signatures, 1 left out',
      '1 whole, 1 signatures, 1 left out',
      '1 whole, 1 signatures, 2 left out',
      '1 whole, 0 signatures, 2 left out',
    ]);
  });

  it('says in the prompt what is not shown', () => {
    const big = { ...view, inQuestion: [file('src/prose.txt', 'words and words\n'.repeat(500))] };
    const { prompt, context } = aBrief(aRecord(), { ...big, window: 2000 });
    expect(context.leftOut).toContainEqual({ what: 'src/prose.txt', why: 'does not fit' });
    expect(prompt).toContain('src/prose.txt: does not fit');
    expect(prompt).toContain('Do not guess the content of files that are not shown');
  });

  it('holds the contract, the target and the required fixes, however small the window', () => {
    const record = aRecord({ feedback: [{ from: 'judge', text: 'handle the empty list' }] });
    const { prompt } = aBrief(record, { ...view, window: 2000 });
    for (const part of ['Merge the two guides', 'step19', 'handle the empty list', 'FILE: example/greeting.txt'])
      expect(prompt).toContain(part);
  });

  it('says how many tokens it needs when not even that fits', () => {
    const result = briefImplementer(aRecord(), { ...view, window: 600 });
    expect(result).toMatchObject({ ok: false, why: { room: 450 } });
    expect(result.ok ? 0 : result.why.needs).toBeGreaterThan(450);
  });

  it('leaves room for the answer when files must be repeated', () => {
    const target = file('src/target.ts', code(130)); // about 2,000 tokens, to be repeated
    const neighbours = Array.from({ length: 40 }, (_, at) => near(`src/n${at}.ts`, code(20, `longer_name_${at}_`)));
    const { context } = aBrief(aRecord(), aView({ targets: [target], neighbours, window: 6000 }));
    expect(context.tokens + estimateTokens(target.text)).toBeLessThanOrEqual(6000);
    expect(context.leftOut).toMatchObject([{ why: 'do not fit' }]);
  });

  it('shows the parts of a very long target that the task speaks of, and asks for blocks', () => {
    const lines = Array.from(
      { length: 3000 },
      (_, at) => `export const value_${at} = compute(${at}, 'some text to make it long');`,
    );
    lines[1700] = 'export function parseDates(text: string) {';
    lines[2400] = '  throw new Error("cited");';
    const record: TaskRecord = {
      ...aRecord({ report: aReport({ blocking: [aFinding({ file: 'src/long.ts', line: 2401 })] }) }),
      feedback: [{ from: 'judge', text: 'parseDates is wrong' }],
    };
    const { prompt, context } = aBrief(
      record,
      aView({ targets: [file('src/long.ts', lines.join('\n'))], window: 8192 }),
    );
    expect(estimateTokens(prompt)).toBeLessThanOrEqual(computePromptRoom(8192));
    expect(context).toMatchObject({ whole: [], parts: ['src/long.ts'] });
    for (const part of [
      'parseDates(text',
      'throw new Error("cited")',
      'are not shown]',
      'never the whole file: src/long.ts',
    ])
      expect(prompt).toContain(part);
  });

  it('is told in one line', () => {
    const { context } = aBrief(aRecord(), { ...view, window: 2400 });
    expect(formatBriefContext(context)).toBe(
      `prompt of about ${context.tokens} of 2400 tokens; whole files: src/target.ts (820 B), src/source.ts (860 B), src/near.ts (200 B); signatures of 1 file`,
    );
    const long = {
      ...context,
      window: null,
      whole: [],
      leftOut: [{ what: 'a.ts', why: 'is too large' }],
      rework: 'less',
    };
    expect(formatBriefContext(long)).toMatch(/tokens; no whole file; .*; not shown: a.ts \(is too large\); less$/);
  });
});

describe('after a strike', () => {
  const strike = (kind: string) => ({ station: 'implementer' as const, kind, why: 'it broke' });
  const view = aView({ window: 8192, targets: [file('src/target.ts', code(60))] });

  it('a prompt that was too long although it seemed to fit is followed by one of half the size', () => {
    const first = aBrief(aRecord(), { ...view, inQuestion: [file('src/b.ts', code(200))] });
    const record = aRecord({ strikes: [strike('too-long')] });
    const second = aBrief(record, { ...view, targets: [file('src/target.ts', code(250))] });
    expect(first.context.tokens).toBeGreaterThan(4000);
    expect(second.context.tokens).toBeLessThanOrEqual(computePromptRoom(8192) / 2);
    expect(second.context.rework).toContain('too-long');
    expect(second.prompt).not.toContain('too-long');
  });

  it('only the newest failure is called the last one', () => {
    const both = { ...strike('crash'), why: 'an older one' };
    const feedback = [{ from: 'answer' as const, text: 'a.ts: not allowed' }];
    const twice = aBrief(aRecord({ strikes: [both, strike('crash')], feedback }), view).prompt;
    expect(twice.match(/your last .*/gi)).toEqual(['your last try failed']);
    expect(twice).toContain('An answer before that was refused');
    expect(twice).not.toContain('an older one');
    const refused = aBrief(aRecord({ strikes: [{ ...both, isPast: true }], feedback }), view).prompt;
    expect(refused.match(/your last .*/gi)).toEqual(['Your last answer was refused']);
  });

  it('the reason is in the brief', () => {
    expect(aBrief(aRecord({ strikes: [strike('crash')] }), view).prompt).toContain('crash: it broke');
  });
});

describe('blocks that found no place', () => {
  const record = aRecord({
    refusedAnswers: 1,
    partial: {
      head: BASE,
      kept: [{ kind: 'replace', path: 'src/a.ts', blocks: [{ search: 'one\n', replace: 'ONE\n' }] }],
      failed: [
        { path: 'src/a.ts', search: 'tow\n', replace: 'TWO\n', why: 'not there; the closest ones are:\n2 | two' },
      ],
    },
  });

  it('are asked again alone, with the closest real lines; what was taken is named', () => {
    const { prompt, context } = aBrief(record, aView({ targets: [file('src/a.ts', 'one\ntwo\n')] }));
    for (const part of [
      '<<<<<<< SEARCH\ntow\n=======\nTWO\n>>>>>>> REPLACE',
      '2 | two',
      'src/a.ts: 1 block',
      'this one block only',
    ])
      expect(prompt).toContain(part);
    expect(prompt).not.toContain('ONE');
    expect(prompt).not.toContain('````text');
    expect(context.rework).toContain('asked again');
  });

  it('fit a small window too, however long they are', () => {
    const failed = Array.from({ length: 12 }, (_, at) => ({
      path: 'src/a.ts',
      search: `${at} was here\n`.repeat(200),
      replace: 'x\n'.repeat(500),
      why: `not there\n${'12 | like this\n'.repeat(24)}`,
    }));
    const long = aRecord({ refusedAnswers: 1, partial: { head: BASE, kept: [], failed } });
    const { prompt } = aBrief(long, aView({ targets: [file('src/a.ts', code(500))], window: 4096 }));
    expect(estimateTokens(prompt)).toBeLessThanOrEqual(computePromptRoom(4096));
    expect(prompt).toContain('block 12 of your last answer');
  });

  it('are forgotten when the task stands on another commit', () => {
    expect(aBrief(record, aView({ head: 'f'.repeat(40) })).prompt).not.toContain('tow');
  });
});

describe('choosing what fits', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 8 });

  it('never goes over the room, and shows what must be there or says that it does not fit', () => {
    fc.assert(
      fc.property(texts, texts, fc.nat(1500), fc.nat(1500), (always, offered, room, comfort) => {
        const offers = offered.map((text, at) => ({ name: String(at), versions: [text + text, text] }));
        const fitting = fitOffers(always, offers, { room, comfort });
        const needed = always.reduce((sum, part) => sum + countPartBytes(part), 0);
        if (!fitting.ok) {
          expect(fitting.why.needs).toBeGreaterThan(room);
          return;
        }
        const taken = [...fitting.value.versions].flatMap(([offer, version]) =>
          version === undefined ? [] : [countPartBytes(offer.versions[version] ?? '')],
        );
        expect(needed + taken.reduce((sum, size) => sum + size, 0) + fitting.value.bytesLeft).toBeLessThanOrEqual(
          room * 3,
        );
      }),
    );
  });

  it('holds for whole briefs as well, whatever is in the files', () => {
    const files = fc.array(
      fc.record({
        path: fc.stringMatching(/^src\/[a-z]{1,12}\.(?:ts|md|py)$/),
        text: fc.string({ unit: 'grapheme', maxLength: 3000 }),
      }),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(
        files,
        files,
        files,
        fc.integer({ min: 1500, max: 9000 }),
        fc.string(),
        (targets, inQuestion, others, window, said) => {
          const record = aRecord({ feedback: [{ from: 'gates', text: said.repeat(100) }] });
          const neighbours = others.map((other) => ({
            ...other,
            isTied: other.text.length % 2 === 0,
            mayChange: false,
          }));
          const brief = briefImplementer(record, aView({ targets, inQuestion, neighbours, window }));
          if (!brief.ok) {
            expect(brief.why.needs).toBeGreaterThan(brief.why.room);
            return;
          }
          expect(estimateTokens(brief.value.prompt)).toBeLessThanOrEqual(computePromptRoom(window));
          expect(brief.value.prompt).toContain('Merge the two guides');
          for (const { path } of targets) expect(brief.value.prompt).toContain(`file ${path}`);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('an excerpt', () => {
  it('is never longer than asked, and every line of it is a real one or says what is missing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z ]{0,40}$/), { maxLength: 200 }),
        fc.nat(2000),
        fc.string(),
        (lines, bytes, said) => {
          const text = extractExcerpt(
            file('a.txt', lines.join('\n')),
            { words: listSearchWords(said), lines: [3] },
            bytes,
          );
          expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(Math.max(bytes, 50));
          const real = new Set(lines);
          for (const line of text.split('\n'))
            expect(real.has(line) || line === '' || /^\[lines \d+ to \d+ are not shown\]$/.test(line)).toBe(true);
        },
      ),
    );
  });
});
