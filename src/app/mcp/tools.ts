import type { RuleEngine } from '../../rules/files/rule-engine.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Rule } from '../../rules/model/rule.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { type AnswerHook, RULE_ENGINE, callOneRule, callRuleEngine } from './rule-engine-tool.ts';
import { LINE_TOOLS, callLineTool } from './line-tools.ts';
import { toRuleFacts } from './rule-answers.ts';
import { READ_ONLY, answerFromError, type CallTools, type ToolAnswer, type ToolFacts, unknownTask } from './tool.ts';
import { ConcurrencyLimit } from '../../base/concurrency-limit.ts';
import { sha256 } from '../../base/sha256.ts';
import { formatCount } from '../../base/format-count.ts';
import { foldJournal } from '../../line/core/fold-journal.ts';
import { describeSentComments, sentCommentsSchema } from '../../project/requests/comment.ts';
import type { Request } from '../../project/requests/request.ts';
import { readEntries } from '../../line/journal/open-journal.ts';

/** Everything that can be called in one repository. */
export interface Tools {
  /** One page of the list, and where the next one begins. */
  list(from: number): Promise<{ readonly tools: readonly ToolFacts[]; readonly next: number | undefined }>;
  call(name: string, given: Readonly<Record<string, unknown>>, tools: CallTools): Promise<ToolAnswer>;
}

/** What a session may ask the line for. */
export interface ToolDoors {
  readonly answerHook: AnswerHook;
  /** Undefined: the client may send no change back. */
  readonly sendComments: SendComments | undefined;
}

/** Calls of a session that are carried out at a time; the others wait in order. */
const CALLS_AT_ONCE = 8;

/** The tools of one place, over one engine for the whole session. */
export function createTools(place: Workspace, engine: RuleEngine, { answerHook, sendComments }: ToolDoors): Tools {
  const commentTool = getCommentTool();
  const turns = new ConcurrencyLimit(CALLS_AT_ONCE);
  const answer = async (
    name: string,
    given: Readonly<Record<string, unknown>>,
    tools: CallTools,
  ): Promise<ToolAnswer> => {
    if (name === RULE_ENGINE.name) return callRuleEngine(engine, place.facts.root, given, tools, answerHook);
    if (sendComments !== undefined && name === commentTool.name) return callCommentTool(place, given, sendComments);
    const rule = await ruleBehind(engine, name);
    if (rule !== undefined) return callOneRule(engine, place.facts.root, rule, given, tools);
    return (await callLineTool(place, name, given)) ?? unknownTool(name);
  };
  return {
    async list(from) {
      const { rules } = await engine.rulebook();
      const names = ruleToolNames(rules.map(({ rule }) => rule.id));
      const ofRules = rules.map(({ rule }) => toolOfRule(rule, names.get(rule.id) ?? ''));
      const all = [RULE_ENGINE, ...LINE_TOOLS, ...(sendComments === undefined ? [] : [commentTool]), ...ofRules];
      const next = from + PAGE < all.length ? from + PAGE : undefined;
      return { tools: all.slice(from, from + PAGE), next };
    },
    async call(name, given, tools) {
      try {
        const answered = await turns.take(tools.signal, () => answer(name, given, tools));
        if (answered === undefined) throw tools.signal.reason;
        return answered;
      } catch (error) {
        if (tools.signal.aborted) throw error;
        return answerFromError(error);
      }
    },
  };
}

function unknownTool(name: string): never {
  throw createUsageError(`there is no tool ${toTerminalLine(name, 100)}`, 'tools/list names all of them');
}

/** A client that asks for no second page still sees the rules of most projects. */
const PAGE = 500;
const OF_RULE = `${RULE_ENGINE.name}.`;

/** The rule that a tool asks about, by the tool's name or by the spelling of its title. */
async function ruleBehind(engine: RuleEngine, name: string): Promise<string | undefined> {
  if (/^rule_engine[.:]/.test(name)) return name.slice(OF_RULE.length);
  if (!name.startsWith(`${RULE_ENGINE.name}_`)) return undefined;
  const { rules } = await engine.rulebook();
  return [...ruleToolNames(rules.map(({ rule }) => rule.id))].find(([, tool]) => tool === name)?.[0];
}

function toolOfRule(rule: Rule, name: string): ToolFacts {
  const { phase, severity, priority, handler } = toRuleFacts(rule);
  const title = toTerminalLine(`${OF_RULE}${rule.id}`, 200);
  return {
    name,
    title,
    description: toTerminalLine(`${rule.title}: ${rule.message}`, 600),
    inputSchema: {
      type: 'object',
      properties: { code: { type: 'string' }, file: { type: 'string' } },
    },
    annotations: { title, ...READ_ONLY, phase, severity, handler },
    _meta: { phase, severity, priority, handler },
  };
}

/** Model services take letters, digits, `_` and `-`; a client puts `mcp__andon__` in front, and 64 characters are the most. */
const MOST_CHARACTERS = 64 - 'mcp__andon__'.length;
const MARK_CHARACTERS = 8;

/** The name of the tool of each rule, by the rule's id; ids that become the same name, or are too long, get a mark. */
export function ruleToolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const plain = ids.map((id) => `rule_engine_${id.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`);
  return new Map(
    ids.map((id, at) => {
      const name = plain[at] ?? '';
      const isAlone = plain.filter((other) => other === name).length === 1;
      if (isAlone && name.length <= MOST_CHARACTERS) return [id, name];
      const mark = sha256(id).slice(0, MARK_CHARACTERS);
      return [id, `${name.slice(0, MOST_CHARACTERS - MARK_CHARACTERS - 1)}-${mark}`];
    }),
  );
}

type CommentRequest = Omit<Extract<Request, { do: 'comment' }>, 'by' | 'how'>;

/** Sends a change back with comments, as `andon comment` does; the status of the task afterwards. */
type SendComments = (request: CommentRequest) => Promise<string>;

/** The one tool that moves the line; it is there only with `--allow-comments`. */
const getCommentTool = (): ToolFacts => ({
  name: 'andon_comment',
  title: 'andon: send a change back',
  description:
    'Sends the change of a task back with comments. Each is a required fix of the next attempt, as a person gives it. At a halt this is the answer.',
  inputSchema: { ...describeSentComments(), type: 'object' },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
});

async function callCommentTool(place: Workspace, given: unknown, send: SendComments): Promise<ToolAnswer> {
  const parsed = sentCommentsSchema().safeParse(given);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
    throw createUsageError(
      `${toTerminalLine(path.join('.') || 'the arguments', 80)}: ${toTerminalLine(message, 200)}`,
      'andon_comment takes task_id, commit, halt_id and comments',
    );
  }
  const { task_id: taskId, commit, halt_id: haltId, comments } = parsed.data;
  const record = foldJournal(readEntries(place, taskId));
  if (record === undefined) throw unknownTask();
  const { change, halt } = record;
  if (change?.commit !== commit)
    throw new Problem(
      'outdated-choice',
      `the change of ${taskId} is another one by now`,
      'read it again (andon_task), then comment on that',
    );
  if (halt !== undefined && haltId === undefined)
    throw createUsageError(`${taskId} is halted, so the comments answer its halt`, `give ${halt.id} as halt_id`);
  const about = { do: 'comment', taskId, tree: change.tree, comments } as const;
  const status = await send(haltId === undefined ? about : { ...about, haltId });
  return {
    summary: `${taskId} goes back with ${formatCount(comments.length, 'comment')}`,
    facts: { task_id: taskId, status },
    isError: false,
  };
}
