import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';

/** An edit of a text that keeps its meaning. */
export type Disguise = 'spacing' | 'comments' | 'names' | 'order';

/** Hashes of a source file, each ignoring more: spacing; comments too; names; order; both. */
export const formsSchema = lazy(() =>
  // Older versions wrote more keys, which are dropped.
  z.object({
    spacing: z.string(),
    comments: z.string(),
    names: z.string(),
    order: z.string(),
    both: z.string(),
    own: z.array(z.string()).describe('Hashes of the names that the file declares: a rejection may ask for one.'),
  }),
);
export type CodeForms = Readonly<z.infer<ReturnType<typeof formsSchema>>>;

/** The weakest disguise that makes two texts equal; undefined when they differ in more. */
export function findDisguise(now: CodeForms, before: CodeForms): readonly Disguise[] | undefined {
  if (now.spacing === before.spacing) return ['spacing'];
  if (now.comments === before.comments) return ['comments'];
  if (now.names === before.names) return ['names'];
  if (now.order === before.order) return ['order'];
  return now.both === before.both ? ['names', 'order'] : undefined;
}
