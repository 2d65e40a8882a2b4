import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { closedObject } from './shape.ts';

/** The requested answer of the local reviewer: closed and complete. */
export const localAnswerSchema = closedObject(() => ({
  verdict: z.enum(['PASS', 'FAIL']),
  critical_security_flaw: z.boolean(),
  findings: z.array(
    z.strictObject({
      severity: z.enum(['low', 'medium', 'high', 'critical']),
      category: z.enum(['syntax', 'security', 'correctness', 'requirement', 'style']),
      file: z.string(),
      line: z.int().nullable(),
      description: z.string(),
      evidence: z.string(),
    }),
  ),
}));

/** The accepted forms: our schema, and the seed's {verdict, critical, issues}. Types are strict. */
export const spokenReviewSchema = lazy(() =>
  z
    .object({
      verdict: z.string(),
      critical_security_flaw: z.boolean().optional(),
      critical: z.boolean().optional(),
      findings: z.array(z.unknown()).optional(),
      issues: z.array(z.unknown()).optional(),
    })
    .refine((value) => value.findings === undefined || value.issues === undefined),
);
