import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { keyWithDefault, optionalKey, sectionKey } from '../../base/optional.ts';
import { limitsSchema } from '../../sandbox/cage-limits.ts';
import { gateSchema } from '../contract/gate.ts';
import { historySchema } from './history-settings.ts';
import { projectLlmSchema } from './llm-settings.ts';
import { pipelineSchema } from './pipeline-settings.ts';
import { checkPath, checkPattern } from '../../base/paths.ts';
import { AGENT_ROLES, MODES } from './config-words.ts';
import { commandText, floorManager, reviewers, workers } from '../contract/task-contract-fields.ts';
import { userSchema } from './user-schema.ts';
import { messageFields } from './message-settings.ts';

/** The lock files whose content decides whether `setup` runs again. */
const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'Cargo.lock',
  'poetry.lock',
  'uv.lock',
  'requirements.txt',
  'requirements-dev.txt',
  'Pipfile.lock',
  'go.sum',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
  'package.json',
  'pyproject.toml',
];

/** A shared folder is in the project, under its plain name, and not one of git's or andon's. */
function mayBeShared(path: string, context: z.RefinementCtx): void {
  const unsafe =
    checkPath(path) ??
    (/^(?:\.git|_handoff|\.andon)(?:\/|$)/i.test(path) ? `${path} belongs to git or andon` : undefined);
  if (unsafe !== undefined) context.addIssue({ code: 'custom', message: `cannot be shared: ${unsafe}` });
}

function mustBePattern(path: string, context: z.RefinementCtx): void {
  const fault = checkPattern(path);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
}

/** `.andon/config.yaml`: a repository's settings for its own line. */
export const projectSchema = lazy(() =>
  z.strictObject({
    target: optionalKey(
      z.string().min(1),
      'The branch to merge into. Default: origin/HEAD, else the branch that is checked out.',
    ),
    setup: keyWithDefault(
      z.array(commandText().min(1)),
      [],
      'Commands that prepare the base tree (in the cage, with network).',
    ),
    setup_inputs: keyWithDefault(
      z.array(z.string().min(1)),
      LOCK_FILES,
      'Files whose content decides whether setup runs again.',
    ),
    share: keyWithDefault(
      z.array(z.string().superRefine(mayBeShared)),
      [],
      "Folders shown read-only in the task's tree, such as node_modules.",
    ),
    conventions: keyWithDefault(
      z.array(z.string().regex(/^[^/\\]+$/, 'write the name of a file, without a folder')).max(10),
      ['AGENTS.md', 'CLAUDE.md'],
      'Names of files with conventions that the implementer is shown: of each the one nearest to the scope.',
    ),
    cage: optionalKey(
      z.strictObject({
        limits: optionalKey(limitsSchema(), 'What gates may use. A repository may lower these, never raise them.'),
      }),
      'Where gates run; all but the limits belong in your own configuration.',
    ),
    gates: keyWithDefault(z.array(gateSchema()), [], 'Run on every change; a red one goes back to the implementer.'),
    require_gates: keyWithDefault(
      z.boolean(),
      false,
      'Every task needs a gate; a contract cannot switch this off. `andon init` writes true where it found gates.',
    ),
    protected_paths: keyWithDefault(
      z.array(z.string().superRefine(mustBePattern)).max(200),
      [],
      'Further files that a task may change only where its contract names exactly them; a name without a slash counts in every folder.',
    ),
    judge: keyWithDefault(
      z.enum(['andon', 'external']),
      'andon',
      'Who runs the judge: andon, or anybody outside who takes REVIEW_REQUEST.md and writes the report.',
    ),
    on_halt: keyWithDefault(
      z.enum(['park', 'stop']),
      'park',
      'What a halt of one task does to the others. park: it waits for your answer in a folder of its own, and the next contract begins; stop: nothing begins until you have answered.',
    ),
    on_overlap: keyWithDefault(
      z.enum(['wait', 'start']),
      'wait',
      'What becomes of a contract that may write files which the change of a parked task touches. wait: it waits for that task; start: it begins all the same.',
    ),
    history: sectionKey(historySchema(), 'How merged tasks are written into the history of the target.'),
    hold: sectionKey(
      z.strictObject({
        leash_hours: keyWithDefault(
          z
            .number()
            .min(0)
            .max(24 * 14),
          24,
          'Hours to wait for an agent that is out of reach before a human is asked; 0 = never wait.',
        ),
        retry_minutes: keyWithDefault(
          z
            .number()
            .positive()
            .max(24 * 60),
          1,
          'Minutes until the next try when the time of recovery is unknown; doubled each time, up to 15 times as much.',
        ),
      }),
      'Waiting for a provider limit to end, or for a server to come back.',
    ),
    roles: sectionKey(
      z.strictObject({
        implementer: keyWithDefault(
          workers('a model', 'qwen2.5-coder'),
          'qwen2.5-coder',
          'The model that writes the change, or a list of up to 5 that take it over from each other, cheap and local ones first.',
        ),
        local_reviewer: keyWithDefault(
          reviewers('a model', 'deepseek-r1'),
          'deepseek-r1',
          'The model that reviews it first, or a list of up to 5 that decide together.',
        ),
        judge: keyWithDefault(
          reviewers('a model or agent', 'claude-code-cli'),
          'claude-code-cli',
          'Who judges it, or a list of up to 5 that judge together.',
        ),
        floor_manager: floorManager()
          .describe(
            'An agent that says, of a change that the judge did not pass, whether it goes back or the judge is wrong: a profile, or a driver; andon: a policy decides, without an agent. Default: gemini if its program and login are present and the task has no budget in dollars, else the policy.',
          )
          .optional(),
        proposal_reader: floorManager()
          .describe(
            'The agent that reads a proposal in prose: a profile, a driver or a model; human: none. Default: the first one that answers of floor manager, judge, local reviewer and implementer; none where the floor manager is human or andon.',
          )
          .optional(),
      }),
      'The models that `andon new` writes into a contract; a contract names its own.',
    ),
    local_review: sectionKey(
      z.strictObject({
        on_critical: keyWithDefault(
          z.enum(['judge', 'fix']),
          'judge',
          'judge: the judge looks at it too, and a pass is a paradox; fix: it goes straight back.',
        ),
      }),
      'What happens when the local review holds a critical security flaw.',
    ),
    review: sectionKey(
      z.strictObject({
        quorum: keyWithDefault(
          z.int().min(0).max(20),
          0,
          'Reviewers of a panel that must vote; with fewer votes nothing passes; 0: all of them.',
        ),
        role_priority: keyWithDefault(
          z
            .array(z.enum(AGENT_ROLES))
            .min(1)
            .refine((roles) => new Set(roles).size === roles.length, 'each role once'),
          [...AGENT_ROLES],
          'Whose voice decides a conflict, first to last; a role that is left out counts as none.',
        ),
      }),
      'How several reviewers decide together.',
    ),
    enforcement: sectionKey(
      z.strictObject({
        mode: optionalKey(
          z.enum(MODES),
          'advisory: only reported; moderate: a violated MUST rule fails CI, a low score also commits; strict: both fail both. Default: advisory.',
        ),
        score_threshold: optionalKey(
          z.number().min(0).max(100),
          'The least score, 0 to 100, that passes in moderate and strict mode. Default: 70.',
        ),
        auto_promote: optionalKey(
          z.boolean(),
          'Suggest the next stricter mode once the last five runs all scored above 90. Default: true.',
        ),
        ...messageFields(),
        quality: optionalKey(
          z.enum(['high', 'normal']),
          'high: a reminder whose rule says `priority_boost: true` counts as P2. Default: normal.',
        ),
      }),
      'How hard the rules in .andon/rules/ are enforced, and how what agents say is checked.',
    ),
    pipeline: optionalKey(
      pipelineSchema(),
      'How responses are checked against the rules: `andon check --response`, and MCP.',
    ),
    llm: optionalKey(
      projectLlmSchema(),
      "Which language model `andon check --llm` asks, where the user does not say it; server and key are the user's.",
    ),
  }),
);

export const configJsonSchemas = (): { project: object; user: object } => ({
  project: z.toJSONSchema(projectSchema(), { io: 'input' }),
  user: z.toJSONSchema(userSchema(), { io: 'input', reused: 'ref' }),
});
