import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import {
  AGENT_PLACEHOLDERS,
  IDENTITY,
  MESSAGE_PLACEHOLDERS,
  fillTemplate,
  listUnknownPlaceholders,
} from './fill-template.ts';
import { keyWithDefault, optionalKey } from '../../base/optional.ts';

/** `history` of `.andon/config.yaml`. */
export const historySchema = lazy(() =>
  z.strictObject({
    style: keyWithDefault(
      z.enum(['merge', 'squash']),
      'merge',
      'merge: a merge commit with one commit on its second parent; squash: one commit on the target.',
    ),
    author: optionalKey(
      identity(),
      "Whose name a change carries: andon, user (git's user.name and user.email), or `Name <email>`. Default: andon; of a change that only you committed: you.",
    ),
    committer: optionalKey(
      identity(),
      'Who commits it, as above. Default: andon; where commits are signed or signed off: user.',
    ),
    co_authored_by: keyWithDefault(
      z.union([z.boolean(), z.array(z.string().superRefine(mustBeCoAuthor)).max(20)]),
      false,
      'true, or a list of `Name <email>` with {agent} and {model} of each implementer.',
    ),
    signed_off_by: keyWithDefault(z.boolean(), false, 'Add Signed-off-by with the name of the committer.'),
    template: optionalKey(
      z.string().min(1).max(5000).superRefine(mustBeTemplate),
      `The message of a change, with ${MESSAGE_PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}: the first line is the subject, further lines the body in place of the requirements.`,
    ),
    type: keyWithDefault(word(), 'feat', '{type} of a title that names none (`fix(parser): …` does).'),
    scope: keyWithDefault(word(), '', '{scope} of a title that names none.'),
  }),
);

const word = () =>
  z
    .string()
    .max(50)
    .regex(/^[^\s(){}:]*$/, 'expected one word');

const identity = () =>
  z.string().superRefine((text, context) => {
    if (text !== 'andon' && text !== 'user' && !IDENTITY.test(text)) complain(context, NO_IDENTITY);
  });

const NO_IDENTITY = 'expected andon, user, or a name and an address: `Jo Example <jo@example.org>`';

const complain = (context: z.RefinementCtx, message: string): void => context.addIssue({ code: 'custom', message });

function mustBeCoAuthor(text: string, context: z.RefinementCtx): void {
  refuseUnknown(text, AGENT_PLACEHOLDERS, context);
  if (!IDENTITY.test(fillTemplate(text, { agent: 'a', model: 'm' })))
    complain(context, 'expected a name and an address: `{agent} ({model}) <agents@example.org>`');
}

function mustBeTemplate(text: string, context: z.RefinementCtx): void {
  refuseUnknown(text, MESSAGE_PLACEHOLDERS, context);
  const [subject = ''] = text.split('\n');
  if (subject.trim() === '' || subject.startsWith('#')) complain(context, 'its first line is no subject of a commit');
  if (subject.includes('{requirements}')) complain(context, '{requirements} has more lines than a subject may have');
}

function refuseUnknown(text: string, known: readonly string[], context: z.RefinementCtx): void {
  const unknown = listUnknownPlaceholders(text, known);
  if (unknown.length > 0)
    complain(
      context,
      `unknown placeholder ${unknown.map((name) => `{${name}}`).join(', ')}; known are ${known.map((name) => `{${name}}`).join(', ')}`,
    );
}

/** How a merged task is written into the target's history (`history` of `.andon/config.yaml`). */
export type HistorySettings = Readonly<ReturnType<typeof toHistory>>;

export function toHistory(written: z.input<ReturnType<typeof historySchema>> = {}) {
  const history = historySchema().parse(written);
  const { co_authored_by: authors, template } = history;
  const coAuthors = authors === true ? ['{agent} ({model}) <andon@localhost>'] : authors || [];
  return { ...history, template: template?.trimEnd(), co_authored_by: coAuthors as readonly string[] };
}
