import { isObject } from '../../base/json-object.ts';
import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { type JsonDocument, readJson } from '../../base/read-json.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { givenCommentsSchema } from '../../project/requests/comment.ts';
import { choiceChanges } from '../../project/requests/request.ts';
import { listComplaints, toFaults } from '../../base/schema-faults.ts';

const taskId = lazy(() =>
  z
    .string()
    .describe('the id of the task that it is about')
    .meta({ examples: ['DOC-001'] }),
);
const schemaKey = lazy(() => z.string().optional().describe('For your editor; andon does not read it.'));

const ON_REPORT = "On a judge's report, in the floor manager's place (`roles.floor_manager: human`).";
const onReportSchema = lazy(() =>
  z
    .strictObject({
      $schema: schemaKey(),
      task_id: taskId(),
      decision: z.enum(['merge', 'fix', 'rebut']),
      nonce: z
        .string()
        .optional()
        .describe(
          'The one that the line names while it waits; it is of the report, so no decision lay there before it.',
        ),
      reason: z.string().optional(),
      fixes: z
        .array(z.string().trim().min(1))
        .optional()
        .describe("For fix: what to do instead of the judge's required fixes."),
      evidence: z
        .array(z.string().trim().min(1))
        .optional()
        .describe('For rebut: finding by finding, what contradicts it; at least one.'),
    })
    .describe(ON_REPORT),
);

const onHaltSchema = lazy(() =>
  z
    .strictObject({
      $schema: schemaKey(),
      task_id: taskId(),
      halt: z.string().min(1).describe('The halt that is answered, as the end of ERIK_HALT.md names it.'),
      path: z
        .literal([1, 2], { error: 'the number 1 or 2' })
        .optional()
        .describe('Which of the two paths of the halt is taken; or `comments`.'),
      comments: givenCommentsSchema().optional(),
      tree: z.string().optional().describe('The tree that the halt is about; refused when it is another one.'),
      contract_digest: z
        .string()
        .optional()
        .describe('The contract that the halt is about; refused when it is another one.'),
      nonce: z
        .string()
        .optional()
        .describe('The nonce at the end of ERIK_HALT.md: an answer that lay there before the halt cannot name it.'),
      confirm: z.string().optional().describe('The task id once more, for a path that asks for it.'),
      by: z.string().trim().min(1).max(80).optional().describe('Who answers, for the journal.'),
      reason: z.string().max(500).optional().describe('Why, for the journal.'),
      ...choiceChanges(),
    })
    .describe('On a halt: one of the two paths that ERIK_HALT.md shows, or comments that send the change back.'),
);

/** The floor manager's answer to a judge's report. */
export type WrittenDecision = z.infer<ReturnType<typeof onReportSchema>>;

export type WrittenAnswer = z.infer<ReturnType<typeof onHaltSchema>>;

/** The content of `DECISION.json`: `decision` answers a report; `halt` and `path` answer a halt. */
export type DecisionFile =
  | { readonly about: 'report'; readonly decision: WrittenDecision }
  | { readonly about: 'halt'; readonly answer: WrittenAnswer };

export const readDecisionTask = (file: DecisionFile): string =>
  file.about === 'halt' ? file.answer.task_id : file.decision.task_id;

/** Why a text is no decision; `unfinished`: it may still be being written. */
interface NoDecision {
  readonly unfinished: boolean;
  readonly why: string;
}

/** Reads `DECISION.json`. Its keys alone determine its kind; a mix of both kinds is refused. */
export function readDecision(text: string): Outcome<DecisionFile, NoDecision> {
  if (text.replace(/^\uFEFF/, '').trim() === '') return failure({ unfinished: true, why: 'it is empty' });
  const json = readJson(text);
  if (!json.ok)
    return failure({
      unfinished: json.why.kind === 'incomplete',
      why: `${json.why.path}: found ${json.why.found}, expected ${json.why.expected}`,
    });
  const { value } = json.value;
  if (!isObject(value)) return wrong('expected one JSON object');
  const keys = Object.keys(value);
  const onReport = keys.includes('decision');
  const onHalt = keys.includes('halt') || keys.includes('path') || keys.includes('comments');
  if (onReport && onHalt)
    return wrong('`decision` answers a report, `halt` and `path` answer a halt; it has both, leave one');
  if (!onReport && !onHalt)
    return wrong('it has neither `decision` (on a report) nor `halt` and `path` (an answer to a halt)');
  if (onReport) {
    const parsed = onReportSchema().safeParse(value);
    return parsed.success
      ? success({ about: 'report', decision: parsed.data })
      : wrong(describeIssues(parsed.error, onReportSchema(), json.value));
  }
  const parsed = onHaltSchema().safeParse(value);
  if (!parsed.success) return wrong(describeIssues(parsed.error, onHaltSchema(), json.value));
  const { path, comments } = parsed.data;
  if (path === undefined && comments === undefined)
    return wrong('$.path: found nothing; expected the number 1 or 2, or give `comments`');
  if (path !== undefined && comments !== undefined)
    return wrong('`path` takes a path, `comments` send the change back; it has both, leave one');
  return success({ about: 'halt', answer: parsed.data });
}

/** The nonce of a decision is required here; `checkHumanDecision` names the missing one, which no schema can. */
export const decisionJsonSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Decision',
  description: 'What you write as _handoff/DECISION.json: an answer to a halt, or a decision on a report.',
  ...z.toJSONSchema(z.union([onHaltSchema(), onReportSchema().required({ nonce: true }).describe(ON_REPORT)]), {
    io: 'input',
  }),
});

const wrong = (why: string): Outcome<DecisionFile, NoDecision> => failure({ unfinished: false, why });

const describeIssues = ({ issues }: z.ZodError, schema: z.ZodObject, document: JsonDocument): string =>
  toFaults(listComplaints(issues, schema), document)
    .map(({ path, found, expected }) => `${path}: found ${found}; expected ${expected.replace(/\.$/, '')}`)
    .join('; ');
