import { masked } from '../../../src/rules/secrets/mask.ts';
import type { Runner } from '../run-cases.ts';

/** A text as it is printed, logged and kept. */
export const redaction: Runner = ({ input }) => ({ text: masked(String(input['text'])) });
