import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { countField, foreign, handoffFile, describeField, usd } from './task-contract-fields.ts';

/** The fields of a contract that andon writes: accepted anywhere, trusted only in `max_delete_ratio`. */
export const bookkeeping = lazy(() => ({
  handoff_data: describeField(
    z.strictObject({
      implementer_notes: foreign('written by andon').optional(),
      changed_files: describeField(z.array(z.string()), 'a list of paths; written by andon', []).optional(),
      artifacts: describeField(z.array(z.string()), 'a list of paths; written by andon', []).optional(),
      diff_summary: foreign('written by andon').optional(),
      local_review_passed: describeField(
        z.boolean().nullable(),
        'true, false or null; written by andon',
        null,
      ).optional(),
      local_review_issues: describeField(z.array(z.unknown()), 'a list; written by andon', []).optional(),
      judge_report_path: handoffFile().optional(),
      judge_report_json: handoffFile().optional(),
      rebuttal_path: handoffFile().optional(),
    }),
    'an object that andon fills in',
    {},
  ).optional(),
  breaker: describeField(
    z.strictObject({
      status: foreign('written by andon').optional(),
      triggered_by: foreign('written by andon').optional(),
      trigger_reason: foreign('written by andon').optional(),
      rebuttal_count: countField('a whole number from 0; written by andon', 0).optional(),
      review_cycle_count: countField('a whole number from 0; written by andon', 0).optional(),
      tokens_used: countField('a whole number from 0; written by andon', 0).optional(),
      cost_usd: usd().optional(),
      max_delete_ratio: describeField(
        z.number().min(0).max(1),
        'a share from 0 to 1 (5 % is 0.05): the part of the lines of the project that may go',
        0.05,
      ).optional(),
    }),
    'an object with max_delete_ratio; the counters are written by andon',
    { max_delete_ratio: 0.05 },
  ).optional(),
  lock: describeField(
    z.strictObject({
      held_by: foreign('informative').optional(),
      acquired_at: foreign('informative').optional(),
      expires_at: foreign('informative').optional(),
    }),
    'an object with held_by, acquired_at and expires_at, or null; informative',
    null,
  )
    .nullable()
    .optional(),
  history: describeField(z.array(z.unknown()), 'a list; written by andon', []).optional(),
  history_omitted: countField('a whole number from 0; written by andon', 0).optional(),
}));
