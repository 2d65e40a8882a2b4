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
    'The <signature> was ruled out',
    '<테스트> 없이 배포한다',
    '<예외>를 무시하지 않는다',
    '不要<硬编码>密钥',
    '<测试>不需要',
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
    '삼키지 않고 <다시> 던진다',
    '不再硬编码,<读取>环境变量',
    '不同的<密钥>',
  ])('does not reach the term: %s', (marked) => {
    expect(negated(marked)).toBe(false);
  });
});
