import type { LineRecord } from '../../record/line-record.ts';
import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { evidenceIn } from './evidence.ts';
import { reviewRecordsOf } from './from-record.ts';
import { holdAgainst, wrongCitations, type ReviewRecords } from './hold-against.ts';
import { readProse, withoutHidden } from './prose.ts';
import { PRAISE_DELIVERED, PRAISE_REFUSED, validateResponse } from './response-validator.ts';
import { APPROVE_REFUSED, DOWNGRADED } from './review-gate.ts';

/** Whether a message of this turn may still go back; later it is handed on with a warning. */
export const mayGoBack = ({ refusedAnswers }: Pick<LineRecord, 'refusedAnswers'>, settings: MessageSettings): boolean =>
  refusedAnswers < Math.min(MOST_REFUSALS, settings.maxTotalRetries);
const MOST_REFUSALS = 2;

/**
 * Why the words beside a pass do not carry it: they withdraw it, tell of something red, or contradict the records. Silence
 * is no objection, because the records are the evidence. Undefined when they carry it.
 */
export function findUnfoundedPass(
  written: string,
  records: ReviewRecords,
  settings: MessageSettings,
): string | undefined {
  if (!settings.enabled || !settings.reviewGate.enabled || !settings.reviewGate.requireEvidence) return undefined;
  const words = withoutHidden(written);
  const { claims, failing, refused } = evidenceIn(readProse(words));
  const { confirmed, against } = holdAgainst(claims, records);
  const why = [
    ...failing.map((one) => `it reports something red: ${one}`),
    ...against,
    ...wrongCitations(words, records),
    ...(confirmed.length > 0 ? [] : refused.map((one) => `${one.why}: ${one.text}`)),
  ];
  return why.length === 0
    ? undefined
    : `${APPROVE_REFUSED}\nRefused: ${why.slice(0, MOST_REASONS).join('; ').slice(0, LONGEST)}`;
}

/** Why the words beside a verdict are only praise; otherwise undefined. */
export function onlyPraise(words: string, settings: MessageSettings): string | undefined {
  if (!settings.enabled || !settings.responseValidator.enabled || words.trim() === '') return undefined;
  const { valid, sentences, matched } = validateResponse(words, settings.responseValidator);
  const praises = sentences.some(({ label }) => label === 'flattery');
  if (valid || !praises) return undefined;
  return `${PRAISE_REFUSED}\nRefused: ${matched
    .map((one) => `"${one}"`)
    .join(', ')
    .slice(0, LONGEST)}`;
}

/** The warning for the judge beside a pass in doubt whose retries are used up; undefined otherwise. */
export function passInDoubt(
  beside: string,
  record: PassRecord,
  settings: MessageSettings,
  lines?: ReviewRecords['lines'],
): string | undefined {
  if (mayGoBack(record, settings)) return undefined;
  if (findUnfoundedPass(beside, reviewRecordsOf(record, lines), settings) !== undefined) return DOWNGRADED;
  return onlyPraise(beside, settings) === undefined ? undefined : PRAISE_DELIVERED;
}

type PassRecord = Parameters<typeof reviewRecordsOf>[0] & Pick<LineRecord, 'refusedAnswers'>;

const MOST_REASONS = 3;
const LONGEST = 600;
