import type { LineRecord } from '../../record/line-record.ts';
import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { falselyCited } from './cited.ts';
import { evidenceIn } from './evidence.ts';
import { readProse, withoutHidden } from './prose.ts';
import { reviewRecordsOf } from './from-record.ts';
import { mayGoBack } from './may-go-back.ts';
import { APPROVE_REFUSED, DOWNGRADED } from './review-gate.ts';
import { holdAgainst } from './hold-against.ts';
import type { ReviewRecords } from './review-records.ts';
import { NO_OPINION } from './second-opinion.ts';
import { PRAISE_REFUSED, validateResponse } from './response-validator.ts';

/**
 * Why the words beside a pass do not carry it: they take it back, put it off, tell of something else, or tell otherwise
 * than the records. Silence is no objection here, because the records themselves are the evidence. Undefined when they
 * carry it.
 */
export function unfoundedPass(written: string, records: ReviewRecords, settings: MessageSettings): string | undefined {
  if (!settings.enabled || !settings.reviewGate.enabled || !settings.reviewGate.requireEvidence) return undefined;
  const words = withoutHidden(written);
  const { claims, failing, refused } = evidenceIn(readProse(words));
  const { confirmed, against } = holdAgainst(claims, records);
  const why = [
    ...failing.map((one) => `it tells of something red: ${one}`),
    ...against,
    ...falselyCited(words, records),
    ...(confirmed.length > 0 ? [] : refused.map((one) => `${one.why}: ${one.text}`)),
  ];
  return why.length === 0
    ? undefined
    : `${APPROVE_REFUSED}\nRefused: ${why.slice(0, MOST_TOLD).join('; ').slice(0, LONGEST)}`;
}

/** Why the words beside a verdict are only praise, by the rules alone; undefined when they are not, or when there are none. */
export function onlyPraise(words: string, settings: MessageSettings): string | undefined {
  if (!settings.enabled || !settings.responseValidator.enabled || words.trim() === '') return undefined;
  const { valid, sentences, matched } = validateResponse(words, settings.responseValidator, undefined, NO_OPINION);
  const praises = sentences.some(({ label }) => label === 'flattery');
  if (valid || !praises) return undefined;
  return `${PRAISE_REFUSED}\nRefused: ${matched
    .map((one) => `"${one}"`)
    .join(', ')
    .slice(0, LONGEST)}`;
}

/**
 * What is handed on beside a pass that still does not carry when its retries are used up: its verdict counts as
 * NEEDS_REVIEW, so the judge is told; undefined where nothing is in doubt, or it may still go back.
 */
export function passInDoubt(
  beside: string,
  record: PassRecord,
  settings: MessageSettings,
  lines?: ReviewRecords['lines'],
): string | undefined {
  if (mayGoBack(record, settings)) return undefined;
  if (unfoundedPass(beside, reviewRecordsOf(record, lines), settings) !== undefined) return DOWNGRADED;
  return onlyPraise(beside, settings) === undefined
    ? undefined
    : PRAISE_REFUSED.replace(' rejected:', ' delivered with a warning:');
}

type PassRecord = Parameters<typeof reviewRecordsOf>[0] & Pick<LineRecord, 'refusedAnswers'>;

const MOST_TOLD = 3;
const LONGEST = 600;
