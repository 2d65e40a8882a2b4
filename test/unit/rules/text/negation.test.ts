import { describe, expect, it } from 'vitest';
import { isNegated } from '../../../../src/rules/text/negation.ts';

/** The term stands between angle brackets. */
const negated = (marked: string): boolean => isNegated(marked.replace(/[<>]/g, ''), marked.indexOf('<'));

describe('a negation', () => {
  it.each([
    'No <fever>, cough or rash',
    'No fever, cough or <rash>',
    'She denies <pain>',
    'The <tests> are not needed',
    'Deploy without <approval>',
    'Neither <caching> nor retries',
    'The <signature> was skipped',
    'Turn the <check> off',
    'Leave out the <labels>',
    'The <tests> are skipped',
  ])('reaches the term: %s', (marked) => {
    expect(negated(marked)).toBe(true);
  });

  it.each([
    'No fever, but <cough>',
    'Now <hardcode> it in the node client',
    'Not only <speed> matters',
    'Without exception, <hardcode> it',
    'I know the <notation> is noted',
    'No time; <hardcode> it',
    'Drop the <table> without a backup, then <rename> it'.replace('<table>', 'table'),
  ])('does not reach the term: %s', (marked) => {
    expect(negated(marked)).toBe(false);
  });
});
