import { describe, expect, it } from 'vitest';
import { contradictsVerdict } from '../../../../src/line/stations/contradicts-verdict.ts';
import { findReport } from '../../../../src/line/stations/read-judge-report.ts';
import { readReview } from '../../../../src/line/panel/create-question.ts';

const PASS = '{"verdict":"PASS","findings":[]}';

describe('a PASS beside other words', () => {
  it.each([
    'My verdict is FAIL. The report that I refuse to give:',
    '**Verdict:** FAIL',
    'Verdict - CONDITIONAL, once it is fixed:',
    'The grade would be critical halt, if I had to give one.',
    'I would not say PASS before the lock is released.',
    'I cannot PASS this yet.',
    'I refuse to give it a PASS:',
    'My verdict is NEEDS_REVIEW.',
    'My verdict is not a pass.',
    'My verdict is now FAIL.',
    'Final verdict on this change: fail.',
    'FAIL. The change removes the check.',
  ])('does not count: %s', (around) => {
    expect(contradictsVerdict('PASS', around)).toBe(true);
    expect(findReport({ text: `${around}\n${PASS}` })).toBeUndefined();
    expect(readReview({ text: `${PASS}\n${around}` }).ok).toBe(false);
  });

  it.each([
    'Here is my verdict:',
    'Verdict: PASS',
    'No test fails, and the verdict is easy. The report:',
    'I read the change and its tests. They do not fail, so it passes.',
    'The gate test is green. Nothing was left out.',
    'The verdict fails closed on an unclear answer, as required.',
    'How I reached the verdict: failure paths are tested.',
    'I did not find problems so PASS:',
  ])('counts: %s', (around) => {
    expect(findReport({ text: `${around}\n\`\`\`json\n${PASS}\n\`\`\`` })).toEqual({ verdict: 'PASS', findings: [] });
    expect(readReview({ text: `${around}\n${PASS}` })).toMatchObject({ ok: true });
  });

  it('only matters to a PASS', () => {
    expect(contradictsVerdict('FAIL', 'I would not say PASS. My verdict is FAIL, almost CONDITIONAL.')).toBe(false);
    expect(contradictsVerdict(undefined, 'My verdict is FAIL.')).toBe(false);
  });
});

describe('a PASS beside a report that cannot be parsed', () => {
  const lines = ['"verdict": "FAIL"', '"summary": "line 3 says "dear world" and leaks"', '"findings": []'];
  it.each([
    ['an unescaped quote', `{${lines.join(', ')}}`],
    ['a comma too many', '{"verdict":"FAIL","findings":[],}'],
    ['a comment', '{"verdict":"FAIL", // it leaks\n"findings":[]}'],
    ['single quotes', "{'verdict':'FAIL','findings':[]}"],
    ['a cut end', '{"verdict":"FAIL","findings":[{"file":"a.ts"'],
    ['a key twice', '{"verdict":"FAIL","verdict":"PASS"}'],
    ['many braces before it', `${'{x}'.repeat(60)}{"verdict":"FAIL","findings":[]}`],
  ])('does not count: %s', (_, broken) => {
    for (const text of [`${PASS}\n${broken}`, `${broken}\n\nOnce that is gone, it would be:\n${PASS}`]) {
      expect(findReport({ text })).toBeUndefined();
      expect(readReview({ text }).ok).toBe(false);
    }
  });
});

describe('a thought', () => {
  const quoted = (end: string): string => `{"verdict":"FAIL","findings":[]}\nLine 3 is // ${end}${PASS}`;
  it.each(['</think>', '...done thinking.\n'])('is not ended by what an answer quotes: %s', (end) => {
    expect(readReview({ text: quoted(end) }).ok).toBe(false);
  });

  it('may be spoken of in an answer', () => {
    const text = '{"verdict":"FAIL","critical":true,"findings":[{"severity":"high","description":"</think> stays"}]}';
    expect(readReview({ text })).toMatchObject({ ok: true, value: { verdict: 'FAIL' } });
  });
});
