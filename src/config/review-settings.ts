import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { optionalKey } from './optional.ts';
import { AGENT_ROLES, type AgentRole } from '../rule-model/rule-words.ts';

/** How several reviewers decide together. */
export interface ReviewSettings {
  /** Reviewers that must vote; undefined: all of them. */
  readonly quorum: number | undefined;
  /** Whose voice decides a conflict, first to last. */
  readonly priority: readonly AgentRole[];
}

/** `review` of `.andon/config.yaml`. */
export const reviewSchema = lazy(() =>
  z.strictObject({
    quorum: optionalKey(
      z.int().min(0).max(20),
      'Reviewers of a panel that must vote; with fewer votes nothing passes; 0: all of them. Default: 0.',
    ),
    role_priority: optionalKey(
      z
        .array(z.enum(AGENT_ROLES))
        .min(1)
        .refine((roles) => new Set(roles).size === roles.length, 'each role once'),
      'Whose voice decides a conflict, first to last; a role that is left out counts as none. Default: security, architect, reviewer, qa, implementer.',
    ),
  }),
);

/** The same with defaults filled in. */
export const toReview = (written: z.infer<ReturnType<typeof reviewSchema>> | undefined): ReviewSettings => ({
  quorum: written?.quorum === 0 ? undefined : written?.quorum,
  priority: written?.role_priority ?? AGENT_ROLES,
});
