import { basename } from 'node:path';
import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { HANDOFF, STOP_FILE } from '../../base/names.ts';
import { sha256 } from '../../base/sha256.ts';
import {
  approveShownDraft,
  checkWaitingFile,
  createOutdated,
  findWaitingFile,
  removeStop,
  replaceWaitingFile,
} from '../../line/intake/waiting-file.ts';
import { describeFault } from '../../base/fault.ts';
import { formatCount } from '../../base/format-count.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { fillDefaults, projectDefaults } from '../../project/contract/draft/contract-draft.ts';
import { openContractChecker } from '../../line/intake/contract-checker.ts';
import { dropContract } from '../../line/intake/drop-contract.ts';
import type { PushSubscription } from '../../line/notify/push-notifier.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { givenCommentsSchema } from '../../project/requests/comment.ts';
import type { WrittenDecision } from '../../line/record/decision-file.ts';
import { postTarget } from '../../project/config/notification.ts';
import { choiceChanges, LONGEST_SENTENCE, type Request, type RequestReply } from '../../project/requests/request.ts';
import type { ActionOutcome, FaultResponse } from './api-types.ts';
import { findEditPath, toFileText } from './read-waiting-file.ts';

type Done = Extract<RequestReply, { readonly ok: true }>;

/** Has a request of the line carried out, as the commands do; what came of it, in words. */
export type Ask = (root: string, request: Request) => Promise<Done>;

export interface Asker {
  readonly by: string;
  readonly ask: Ask;
}

const answerSchema = lazy(() =>
  z.strictObject({
    path: z.union([z.literal(1), z.literal(2)]),
    confirm: z.string().max(200).optional(),
    reason: z.string().max(500).optional(),
    ...choiceChanges(),
  }),
);

/** Takes one path of exactly this halt. A sentence for the agents is the only free text. */
export async function postHaltAnswer(
  { by, ask }: Asker,
  root: string,
  { taskId, haltId, body }: { readonly taskId: string; readonly haltId: string; readonly body: unknown },
): Promise<ActionOutcome> {
  const { path, confirm, reason, ...changes } = read(answerSchema(), body);
  const { status } = await ask(root, {
    do: 'resume',
    taskId,
    path,
    haltId,
    ...(confirm === undefined ? {} : { confirm }),
    ...(reason === undefined ? {} : { reason }),
    ...changes,
    by,
    how: 'andon web',
  });
  return { ok: true, said: `Answered. ${taskId} ${status === 'abandoned' ? 'is given up' : 'goes on'}.` };
}

const decisionSchema = lazy(() => {
  const lines = z.array(z.string().trim().min(1).max(2000)).max(50);
  return z.strictObject({
    nonce: id,
    decision: z.enum(['merge', 'fix', 'rebut']),
    reason: z.string().trim().min(1).max(500).optional(),
    fixes: lines.optional(),
    evidence: lines.optional(),
  });
});

/** A person's decision on a report, as `DECISION.json` would say it. */
export const readDecisionBody = (taskId: string, body: unknown): WrittenDecision => ({
  task_id: taskId,
  ...read(decisionSchema(), body),
});

const id = z.string().min(1).max(300);
const wishSchema = lazy(() =>
  z.discriminatedUnion('do', [
    z.strictObject({ do: z.literal('halt'), taskId: id.optional(), reason: z.string().max(300) }),
    z.strictObject({ do: z.literal('pause') }),
    z.strictObject({ do: z.literal('unpause'), since: id }),
    z.strictObject({ do: z.literal('retry'), taskId: id }),
    z.strictObject({ do: z.literal('undo'), taskId: id }),
    z.strictObject({ do: z.literal('say'), taskId: id, text: z.string().trim().min(1).max(LONGEST_SENTENCE) }),
    z.strictObject({
      do: z.literal('comment'),
      taskId: id,
      haltId: id.optional(),
      tree: id,
      comments: givenCommentsSchema(),
    }),
    z.strictObject({
      do: z.literal('move'),
      contract: id,
      to: z.enum(['first', 'last', 'before']),
      before: id.optional(),
    }),
    z.strictObject({ do: z.literal('withdraw'), contract: id }),
  ]),
);

export async function askFor({ by, ask }: Asker, root: string, body: unknown): Promise<ActionOutcome> {
  const wish = read(wishSchema(), body);
  const done = await ask(root, wish.do === 'comment' ? { ...wish, by, how: 'andon web' } : { ...wish, by });
  return { ok: true, said: toTerminalLine(SAID[wish.do](done), 300) };
}

const SAID: Readonly<Record<z.infer<ReturnType<typeof wishSchema>>['do'], (done: Done) => string>> = {
  halt: () => 'halted',
  pause: () => 'the line is paused',
  unpause: () => 'the line goes on',
  comment: () => 'noted: the change goes back to the implementer',
  say: () => 'noted: the next prompt has it',
  retry: () => 'the call that waits is made now',
  undo: ({ commit }) =>
    `Undone${commit === null ? '' : ` as ${commit.slice(0, 12)}`}; its merge and every attempt stay in git.`,
  move: ({ reason: task }) => `${task} was moved`,
  withdraw: ({ reason: file }) => `withdrawn to ${file}`,
};

const list = z.array(z.string().min(1).max(2000)).max(100);
const contractSchema = lazy(() =>
  z.strictObject({
    check: z.boolean(),
    task_id: z.string().max(100),
    title: z.string().max(300).optional(),
    requirements: list,
    acceptance_criteria: list.optional(),
    allowed_paths: list.optional(),
    forbidden_paths: list.optional(),
    target_file: z.string().min(1).max(1000).optional(),
    after: list.optional(),
    priority: z.int().min(-1000).max(1000).optional(),
    budget_usd: z.number().positive().optional(),
    budget_minutes: z.number().positive().optional(),
  }),
);

/** Checks a contract as the line would, and drops it where that was asked for; a refused one is not written. */
export async function postContract(place: Workspace, env: NodeJS.ProcessEnv, body: unknown): Promise<ActionOutcome> {
  const { check, ...draft } = read(contractSchema(), body);
  const { root } = place.facts;
  const checker = await openContractChecker(place, env);
  try {
    const defaults = projectDefaults(basename(root), checker.settings.roles);
    const text = checker.write(fillDefaults(draft, defaults));
    const { faults, notices } = await checker.check(text);
    if (faults.length > 0)
      return refuseFaults(faults.map((fault) => ({ path: fault.path, said: describeFault(fault) })));
    const also = notices.length === 0 ? '' : `; note: ${notices.join('; ')}`;
    if (check) return { ok: true, said: `Valid${also}.${checker.isBusy() ? ' Other tasks come first.' : ''}` };
    dropContract(place, draft.task_id, text, checker.isBusy());
    return { ok: true, said: toTerminalLine(`${draft.task_id} is queued${also}.`, 600) };
  } finally {
    checker.close();
  }
}

const fileChangeSchema = lazy(() =>
  z.discriminatedUnion('do', [
    z.strictObject({
      do: z.literal('save'),
      file: z.string().max(300).optional(),
      version: z.string().max(100),
      text: z.string().max(200_000),
    }),
    z.strictObject({ do: z.literal('approve'), shown: z.string().max(100) }),
    z.strictObject({ do: z.literal('remove stop'), version: z.string().max(100) }),
  ]),
);

/** Writes a mended text if it has no faults, approves a proposal as it was shown, or removes the file that holds the line. */
export async function postWaitingFile(place: Workspace, env: NodeJS.ProcessEnv, body: unknown): Promise<ActionOutcome> {
  const wish = read(fileChangeSchema(), body);
  if (wish.do === 'remove stop') {
    removeStop(place, wish.version);
    return { ok: true, said: `Removed ${STOP_FILE}. The line goes on.` };
  }
  if (wish.do === 'approve') {
    const checked = await checkWaitingFile(place, env, findWaitingFile(place, undefined));
    if (checked.faults.length > 0) return refuseFaults(checked.faults);
    return { ok: true, said: `Approved: ${approveShownDraft(place, checked, wish.shown)}.` };
  }
  const before = findWaitingFile(place, wish.file);
  if (sha256(before.text) !== wish.version) throw createOutdated(before.name);
  const editPath = findEditPath(place, before.name, before.text);
  if (editPath !== null)
    throw new Problem(
      'bad-argument',
      `${HANDOFF}/${before.name} has hidden characters or a secret: saving it here would change them`,
      `edit it in an editor: ${editPath}`,
      1,
    );
  const text = toFileText(wish.text, before.text);
  const { faults } = await checkWaitingFile(place, env, { ...before, text });
  if (faults.length > 0) return refuseFaults(faults);
  replaceWaitingFile(place, before, text);
  return { ok: true, said: `Saved ${HANDOFF}/${before.name}.` };
}

const subscriptionSchema = lazy(() =>
  z.strictObject({
    subscription: z
      .strictObject({
        endpoint: postTarget().max(2000),
        p256dh: z.base64url().length(87),
        auth: z.base64url().length(22),
      })
      .nullable(),
  }),
);

/** Where a browser wants to be notified; undefined where it does not any more. */
export const readSubscription = (body: unknown): PushSubscription | undefined =>
  read(subscriptionSchema(), body).subscription ?? undefined;

/** Nothing was written: every fault, at its place. */
const refuseFaults = (faults: readonly FaultResponse[]): ActionOutcome => ({
  ok: false,
  code: 'bad-argument',
  said: `${formatCount(faults.length, 'fault')}: nothing was written`,
  remedy: 'correct each fault',
  faults,
});

/** What is asked for, or a Problem that names the first place that is not as it must be. */
function read<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const where = first === undefined || first.path.length === 0 ? 'the request' : first.path.join('.');
  throw createUsageError(`${where}: ${first?.message ?? 'cannot be read'}`, 'reload the page and try again');
}
