import { isObject, parseJson } from '../../base/json-object.ts';
import { checkRuns } from './check-runs.ts';
import type { SessionEvent } from './session.ts';

/** One event, with the time at which Claude Code wrote it, or the line before it (ISO 8601; empty before the first time). */
export interface TimedEvent {
  readonly at: string;
  readonly event: SessionEvent;
}

/**
 * Reads a transcript of Claude Code, line by line. Only tool results without an error count as having happened; claims
 * of the model do not. Unknown lines are skipped.
 */
export function readTranscript(lines: readonly string[]): readonly TimedEvent[] {
  const calls = new Map<string, ToolCall>();
  let at = '';
  return lines.flatMap((line) => {
    const entry = toObject(parseJson(line)); // the last line may be half written
    const content = toObject(entry['message'])['content'];
    if (typeof entry['timestamp'] === 'string' && entry['timestamp'] !== '') at = entry['timestamp'];
    const since = at;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : toArray(content).map(toObject);
    const events = blocks.flatMap((block): readonly SessionEvent[] => {
      if (entry['type'] === 'assistant') return readBlock(block, calls);
      return entry['type'] === 'user' ? answered(block, entry, calls) : [];
    });
    return events.map((event) => ({ at: since, event }));
  });
}

interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

function readBlock(block: Readonly<Record<string, unknown>>, calls: Map<string, ToolCall>): readonly SessionEvent[] {
  if (block['type'] === 'tool_use')
    calls.set(String(block['id']), { name: String(block['name']), input: toObject(block['input']) });
  const { type, text } = block;
  return type === 'text' && typeof text === 'string' && text.trim() !== '' ? [{ kind: 'said', text }] : [];
}

function answered(
  block: Readonly<Record<string, unknown>>,
  entry: Readonly<Record<string, unknown>>,
  calls: Map<string, ToolCall>,
): readonly SessionEvent[] {
  if (block['type'] === 'text') {
    const { text } = block;
    const isHuman = entry['isMeta'] !== true && entry['origin'] === undefined;
    return isHuman && typeof text === 'string' && !NOT_SAID.test(text) ? [{ kind: 'asked', text }] : [];
  }
  const call = block['type'] === 'tool_result' ? calls.get(String(block['tool_use_id'])) : undefined;
  if (call === undefined) return [];
  const output = textOf(block['content']);
  const result = toObject(entry['toolUseResult']);
  const { input } = call;
  if (call.name === 'Bash') {
    const isUnderWay =
      result['interrupted'] === true || result['backgroundTaskId'] !== undefined || BACKGROUND.test(output);
    const exit = block['is_error'] === true ? Number(/^(?:Error: )?Exit code (\d{1,3})\b/.exec(output)?.[1]) : 0;
    return isUnderWay || Number.isNaN(exit)
      ? []
      : ranBash(typeof input['command'] === 'string' ? input['command'] : '', exit, output);
  }
  const path = input['file_path'] ?? input['notebook_path'];
  if (block['is_error'] === true || typeof path !== 'string') return [];
  if (READS.has(call.name)) return [{ kind: 'read', path }];
  return WRITES.has(call.name) ? [{ kind: 'wrote', path }] : [];
}

const READS = new Set(['Read', 'NotebookRead']);
const WRITES = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);
/** Texts that Claude Code inserts as the user. */
const NOT_SAID =
  /^\s*(?:<(?:task-notification|command-|local-command|system-reminder|bash-)|Stop hook feedback:|Caveat: |\[Request interrupted)/;
const BACKGROUND = /^Command running in background/;

function ranBash(command: string, exit: number, output: string): readonly SessionEvent[] {
  const runs = checkRuns(command, exit, output).map((run): SessionEvent => ({ kind: 'ran', run }));
  if (exit !== 0) return runs;
  const isDiff = /(?:^|[;&|]\s*)git (?:--no-pager )?(?:-[cC] \S+ )*(?:diff|show|log)\b/.test(command);
  const shown = isDiff ? [...output.matchAll(SUM)].map(sumOf) : [];
  const paths = isDiff
    ? pathsInDiff(output)
    : [...command.matchAll(PRINTS)].flatMap(([, words = '']) => pathsIn(words));
  return [...runs, ...shown, ...paths.map((path): SessionEvent => ({ kind: 'read', path }))];
}

/** ` 3 files changed, 41 insertions(+), 12 deletions(-)`. */
const SUM = /(?:^|\n) \d+ files? changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?/g;
const sumOf = ([, added = '0', deleted = '0']: RegExpMatchArray): SessionEvent => ({
  kind: 'shown',
  added: Number(added),
  deleted: Number(deleted),
});

const pathsInDiff = (output: string): readonly string[] =>
  [...output.matchAll(/^(?:\+\+\+|---) [ab]\/([^\t\n]+)/gm)].map(([, path = '']) => path);

const PRINTS = /(?:^|[;&|]\s*)(?:cat|head|tail|less|nl|bat|sed -n)\s([^;&|\n]*)/g;
const pathsIn = (words: string): readonly string[] =>
  words
    .split(/\s+/)
    .map((word) => word.replace(/^['"]|['"]$/g, ''))
    .filter((word) => !word.startsWith('-') && /[./]/.test(word) && !/[*$<>]/.test(word));

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return toArray(content)
    .map((one) => toObject(one)['text'])
    .filter((text) => typeof text === 'string')
    .join('\n');
}

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const toObject = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
