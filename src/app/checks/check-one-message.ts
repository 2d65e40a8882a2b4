import { gitPaths, type GitPath } from '../../rules/guards/scope-guard.ts';
import { join } from 'node:path';
import { createUsageError, Problem } from '../../base/problem.ts';
import { readRecord } from '../../line/journal/read-records.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';
import type { Journal } from '../../line/journal/journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { checkMessage, type ChainResult, type MessageContext } from '../../rules/guards/check-message.ts';
import { checklistOfTask, readTaskContext } from '../../line/stations/message-checks.ts';
import { citedLines } from '../../rules/guards/named-files.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';
import { countCitedLines } from '../../rules/files/cited-files.ts';
import { ruleOnText, type MessageRuling } from '../../rules/files/message-rules.ts';
import type { Speaker } from '../../rules/model/rule-words.ts';

/** One message between agents, and what it is about. */
export interface MessageRequest {
  readonly text: string;
  readonly from: Speaker;
  readonly to: Speaker;
  /** The id of a task of the journal, its contract, or the delegation in words. */
  readonly task?: { readonly id: string } | Pick<TaskRecord, 'contract'> | { readonly words: string } | undefined;
  /** What git printed of the files that were changed. */
  readonly changed?: string | undefined;
  /** The files of the request itself, by absolute path; these are not changes. */
  readonly beside?: readonly string[];
  /** So often this turn's message went back already. */
  readonly refused: number;
}

export interface CheckedMessage {
  readonly result: ChainResult;
  /** What the project's own rules about messages say; undefined where messages are not checked. */
  readonly rules: MessageRuling | undefined;
  /** The feedback of a guard or of the project's rules for the sender; undefined if the message passes. */
  readonly feedback: string | undefined;
  /** 0 it goes on; 1 it goes back, or goes on as NEEDS_REVIEW. */
  readonly exit: 0 | 1;
}

/** Holds one message against the guards and the project's rules about messages, with what its journal knows of the task. */
export async function checkOneMessage(
  place: Workspace,
  journal: Journal | undefined,
  request: MessageRequest,
): Promise<CheckedMessage> {
  const { messages } = place.settings;
  const isReviewer = request.from !== 'implementer' && request.from !== 'architect';
  const settings = {
    ...messages,
    review_gate: { ...messages.review_gate, enabled: messages.review_gate.enabled && isReviewer },
  };
  const context: MessageContext = {
    ...(await aboutTask(place, request, journal)),
    ...(request.changed === undefined ? {} : { modified: changedFiles(place, request) }),
    isDelegation: request.from !== 'human' && request.to !== 'human',
    retries: request.refused === 0 ? {} : { ResponseValidator: request.refused, ReviewGate: request.refused },
  };
  const result = checkMessage(request.text, context, settings);
  const isTurnedDown = result.review !== undefined && !result.review.accepted;
  const isOutside = result.scope?.severity === 'NEEDS_REVIEW' && settings.scope_guard.mode === 'block';
  const rules = await rulesSay(place, request);
  const refused = rules?.refused ?? [];
  const feedback = result.feedback ?? (refused.length === 0 ? undefined : refused.join('\n'));
  return { result, rules, feedback, exit: feedback === undefined && !isTurnedDown && !isOutside ? 0 : 1 };
}

function changedFiles({ facts }: Workspace, { changed = '', task, beside = [] }: MessageRequest): readonly GitPath[] {
  if (task === undefined)
    throw createUsageError(
      'files were changed, and no expected files are known',
      'name the task as well: its id, a file, or the delegation in words',
    );
  if (changed.includes('\0') || (!changed.includes('diff --git ') && /^ .+ \| +(?:\d|Bin)/m.test(changed)))
    throw createUsageError(
      'the changed files are output of git with -z or --stat',
      'Pass the output of `git status --porcelain` or `git diff --name-status`.',
    );
  return gitPaths(changed).filter(({ path }) => !beside.includes(join(facts.root, path)));
}

/** What could not be checked is never let through in silence. */
async function rulesSay(
  place: Pick<Workspace, 'facts' | 'settings'>,
  { text, from, to }: MessageRequest,
): Promise<MessageRuling | undefined> {
  if (from === 'human' || to === 'human' || !place.settings.messages.enabled) return undefined;
  const ruling = await ruleOnText(place, text, from, new Date());
  const [unchecked] = ruling.unchecked;
  if (unchecked === undefined) return ruling;
  throw new Problem(
    'bad-configuration',
    `the rules about messages could not be applied: ${unchecked}`,
    'andon rules lint shows every fault',
  );
}

async function aboutTask(
  place: Workspace,
  { task, text }: MessageRequest,
  journal: Journal | undefined,
): Promise<Omit<MessageContext, 'isDelegation'>> {
  if (task === undefined) return {};
  if ('words' in task) return { expectedOutcome: task.words };
  if ('contract' in task)
    return { expectedOutcome: checklistOfTask(task), expectedFiles: task.contract.constraints.allowedPaths };
  const record = readRecord(journal, task.id);
  if (record === undefined)
    throw new Problem(
      'no-task',
      `there is no task ${task.id}`,
      '`andon list` shows every task; or say the task in words, or name its file',
    );
  const { change } = record;
  if (change === undefined || citedLines(text).length === 0) return readTaskContext(record);
  return readTaskContext(record, await countCitedLines(await openForReading(place), change.commit, text));
}

/** A checked message as facts for programs: `--json` and the MCP tool. */
export function toMessageFacts({ result, rules, feedback, exit }: CheckedMessage): Readonly<Record<string, unknown>> {
  const { validation, review, scope, todos } = result;
  return {
    passed: feedback === undefined,
    exit,
    stage: result.stage ?? null,
    asked: result.asked,
    feedback: feedback ?? null,
    text: result.text,
    warnings: result.warnings,
    reminder: result.reminder === '' ? null : result.reminder,
    unsure: result.unsure,
    scope_requests: result.requests,
    rules: rules === undefined ? null : { refused: rules.refused, told: rules.noted },
    response_validator:
      validation === undefined
        ? null
        : {
            valid: validation.valid,
            ratio: Math.round(validation.ratio * 1000) / 1000,
            matched: validation.matched,
            sentences: validation.sentences.map(({ label, text }) => ({ label, text: text.trim() })),
          },
    review_gate:
      review === undefined
        ? null
        : {
            is_approval: review.isApproval,
            accepted: review.accepted,
            cross_checked_with: review.crossCheckedWith,
            claims: review.evidence.claims.map(({ kind, text }) => ({ kind, text })),
            against: review.against,
          },
    scope_guard:
      scope === undefined
        ? null
        : { in_scope: scope.inScope, unexpected: scope.unexpected, severity: scope.severity ?? null },
    todo_tracker:
      todos === undefined
        ? null
        : { complete: todos.complete, items: todos.items, pending: todos.pending, markers: todos.markers },
  };
}
