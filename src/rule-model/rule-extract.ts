import { z } from 'zod';
import { lazy } from '../base/lazy.ts';

/** The name of a variable. */
export const VARIABLE_NAME = /^(?!__)[A-Za-z_]\w{0,63}$/;

/** Where a variable of an expression comes from: exactly one of pack, regex, keywords, count and llm. */
export const ruleExtractSchema = lazy(() =>
  z
    .strictObject({
      pack: z
        .enum(['money', 'percent', 'discount'])
        .optional()
        .describe('sums of money, shares in hundredths, or those that lower a price'),
      regex: z.string().min(1).max(2048).optional().describe('its match, or the first group of it, in RE2 syntax'),
      keywords: z
        .array(z.string().min(1).max(200))
        .min(1)
        .max(500)
        .optional()
        .describe('whether one of these words is there'),
      count: z.string().min(1).max(2048).optional().describe('how often this pattern is there'),
      llm: z.string().min(1).max(1000).optional().describe('a question for a language model, where one may be asked'),
      pick: z
        .enum(['max', 'min', 'first', 'last', 'sum', 'count', 'all'])
        .optional()
        .describe('which of several. Default: max of a pack, first of a regex'),
      type: z
        .enum(['number', 'text', 'boolean'])
        .optional()
        .describe('number, text or boolean. Default: text of a regex or llm'),
    })
    .refine(
      ({ pack, regex, keywords, count, llm }) =>
        [pack, regex, keywords, count, llm].filter((one) => one !== undefined).length === 1,
      { message: 'it needs exactly one of pack, regex, keywords, count and llm' },
    ),
);
