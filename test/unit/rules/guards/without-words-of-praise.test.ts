import { describe, expect, it } from 'vitest';
import { STANDARD_MESSAGES } from '../../../../src/rule-model/message-settings.ts';
import { checkReview } from '../../../../src/rules/guards/review-gate.ts';
import { validateResponse } from '../../../../src/rules/guards/response-validator.ts';

const read = (text: string) => validateResponse(text, STANDARD_MESSAGES.responseValidator);

describe('a message that names nothing of the task', () => {
  it.each([
    'This codebase sings. The whole thing hums like a Swiss watch.',
    'You clearly thought this through. It shows a deep feeling for the craft.',
    'The solution is robust, lean, timeless and ready for whatever comes next.',
    'Everything was handled with the utmost care.',
    'I could not be happier.',
    'What a journey! So much craft.',
  ])('and judges all the same is refused: %s', (text) => {
    const { valid, matched } = read(text);
    expect(valid).toBe(false);
    expect(matched.length).toBeGreaterThan(0);
  });

  it.each([
    'You asked for it, and it is by design.',
    'The work is complete and ready.',
    'This is obsolete.',
    'Is this really what everyone wants, and such a hurry?',
    'It is not faster than before.',
  ])('and judges nobody goes on: %s', (text) => {
    expect(read(text).valid).toBe(true);
  });

  it.each([
    'This codebase sings like a Swiss watch, but the parser drops the last row.',
    'You clearly thought this through. I removed the second lock.',
    'Awesome, that worked. With the proxy switched off the download finishes in 4 s.',
    'Nice catch! The parser swallowed the error.',
  ])('in one sentence and tells of it in another goes on: %s', (text) => {
    expect(read(text).valid).toBe(true);
  });
});

describe('an approval', () => {
  it('with an exception to what is green does not count; what was skipped is none', () => {
    const accepts = (text: string) => checkReview(text, STANDARD_MESSAGES.reviewGate).accepted;
    expect(accepts('APPROVE. All tests pass, except for the four that do not.')).toBe(false);
    expect(accepts('APPROVE. All 40 tests pass, except for the two that are skipped.')).toBe(true);
  });

  it('is one whatever is said of the change before it', () => {
    const { isApproval, accepted } = checkReview(
      'The change is trivial and therefore approved.',
      STANDARD_MESSAGES.reviewGate,
    );
    expect({ isApproval, accepted }).toEqual({ isApproval: true, accepted: false });
  });
});
