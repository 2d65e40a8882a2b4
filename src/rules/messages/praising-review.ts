import { STANDARD_MESSAGES } from '../../rule-model/message-settings.ts';
import { mayGoBack } from '../guards/unfounded.ts';
import { onlyPraise } from '../guards/unfounded.ts';
import type { MessageCheck } from './message-check.ts';

/** Praise says nothing about the change. */
export const praisingReview: MessageCheck<'praising_review', 'review'> = {
  id: 'praising_review',
  phase: 'review',
  question: 'Does the local reviewer praise the change instead of reviewing it?',
  check({ verdict, findings }, record, { beside = '', settings = STANDARD_MESSAGES }) {
    if (verdict !== 'PASS' || !mayGoBack(record, settings)) return undefined;
    return onlyPraise([beside, ...findings.map(({ description }) => description)].join('\n'), settings);
  },
};
