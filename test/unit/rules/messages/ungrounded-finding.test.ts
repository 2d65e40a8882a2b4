import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../src/record/finding.ts';
import { ungroundedFinding } from '../../../../src/rules/messages/ungrounded-finding.ts';
import { aRecord } from '../../../support/records.ts';

const evidence = {
  shown: 'diff --git a/src/cart.js b/src/cart.js\n+  if (coupon) items = applyCoupon(items, coupon);',
  paths: ['src/cart.js', 'lib/tax.js'],
};
const finding = (changes: Partial<Finding>): Finding => ({
  source: 'reviewer',
  severity: 'high',
  category: 'bug',
  description: 'It fails for an empty cart.',
  security: false,
  ...changes,
});
const check = (...findings: readonly Finding[]) =>
  ungroundedFinding.check({ verdict: 'FAIL', critical: false, findings }, aRecord(), evidence);

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
    ['code that was shown', finding({ evidence: 'applyCoupon(items, coupon)' })],
    ['no file at all', finding({})],
  ])('for %s counts', (_, one) => {
    expect(check(one)).toBeUndefined();
  });

  it('counts where one of its findings may hold', () => {
    expect(check(finding({ file: 'src/checkout.js' }), finding({ file: 'src/cart.js' }))).toBeUndefined();
  });

  it('is not asked about findings that do not block', () => {
    expect(check(finding({ file: 'src/checkout.js', severity: 'low' }))).toBeUndefined();
  });
});
