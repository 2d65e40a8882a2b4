import { z } from 'zod';
import { formatJsonPath, formatValue } from '../../../base/fault.ts';
import { readJson } from '../../../base/read-json.ts';
import { editJson } from '../../../base/json-edit.ts';
import { lazy } from '../../../base/lazy.ts';
import { failure, success, type Outcome } from '../../../base/outcome.ts';
import { getValueAt } from '../../../base/schema-faults.ts';

/** The moments at which Claude Code asks: an agent, or one that it started, wants to end its turn. */
export const HOOK_EVENTS = ['Stop', 'SubagentStop'] as const;

/** andon's entries in a settings file. */
interface HooksThere {
  /** The commands of andon, by the moment at which they run. */
  readonly ours: readonly { readonly event: string; readonly command: string }[];
  /** How many others stand at the same moments. */
  readonly others: number;
  /** Whether the file switches every hook off. */
  readonly isOff: boolean;
}

/** So long may the hook take, in seconds; it takes some tenths of one. */
const TIMEOUT_SECONDS = 60;

/** Hooks as Claude Code wants them at the moments of andon; everything else is free. */
const settingsSchema = lazy(() => {
  const groups = z.array(z.looseObject({ hooks: z.array(z.unknown()) })).optional();
  return z.looseObject({ hooks: z.looseObject({ Stop: groups, SubagentStop: groups }).optional() });
});
type Settings = z.infer<ReturnType<typeof settingsSchema>>;
type Groups = readonly { readonly hooks: readonly unknown[] }[];

const commandOf = (handler: unknown): unknown => Object(handler)['command'] as unknown;

/** Whether a handler is andon's, wherever andon was installed when it was written. */
const isOurs = (handler: unknown): boolean =>
  /(?:^|[\s/'"\\])andon(?:\.mjs)?['"]? hook claude run(?:\s|$)/.test(String(commandOf(handler)));

/** The content of a settings file, or why Claude Code would refuse it. */
export function findHooks(text: string): Outcome<HooksThere, string> {
  const read = settingsIn(text);
  if (!read.ok) return read;
  const there = HOOK_EVENTS.flatMap((event) =>
    (read.value.hooks?.[event] ?? []).flatMap(({ hooks }) => hooks.map((handler) => ({ event, handler }))),
  );
  const ours = there.filter(({ handler }) => isOurs(handler));
  return success({
    ours: ours.map(({ event, handler }) => ({ event, command: String(commandOf(handler)) })),
    others: there.length - ours.length,
    isOff: read.value['disableAllHooks'] === true,
  });
}

/** The same text with andon's hooks appended; existing andon hooks now run `command`. */
export const withHooks = (text: string, command: string): Outcome<string, string> =>
  editGroups(text.trim() === '' ? '{}\n' : text, (groups) =>
    groups.some(({ hooks }) => hooks.some(isOurs))
      ? groups.map((group) => ({
          ...group,
          hooks: group.hooks.map((handler) => (isOurs(handler) ? { ...Object(handler), command } : handler)),
        }))
      : [...groups, { hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }] }],
  );

/** The same text without andon's hooks, and without the lists that only held them. */
export const withoutHooks = (text: string): Outcome<string, string> =>
  editGroups(text, (groups) =>
    groups.flatMap((group) => {
      const hooks = group.hooks.filter((handler) => !isOurs(handler));
      return hooks.length === 0 && group.hooks.length > 0 ? [] : [{ ...group, hooks }];
    }),
  );

/** Changes the lists of andon's moments; an empty list is left out, and so are `hooks` without any. */
function editGroups(text: string, edit: (groups: Groups) => Groups): Outcome<string, string> {
  const read = settingsIn(text);
  if (!read.ok) return read;
  const { hooks = {} } = read.value;
  const changed = HOOK_EVENTS.map((event) => ({ event, before: hooks[event] ?? [], after: edit(hooks[event] ?? []) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
    .map(({ event, after }) => [event, after.length === 0 ? undefined : after] as const);
  const next: object = { ...hooks, ...Object.fromEntries(changed) };
  if (changed.length > 0 && Object.values(next).every((groups) => groups === undefined))
    return success(editJson(text, ['hooks'], undefined));
  return success(changed.reduce((edited, [event, groups]) => editJson(edited, ['hooks', event], groups), text));
}

/** Whether settings hold no key at all. */
export const isBlank = (text: string): boolean => /^\s*\{\s*\}\s*$/.test(text);

/** Reads settings; Claude Code ignores a file that is not JSON as a whole, a comment suffices. */
function settingsIn(text: string): Outcome<Settings, string> {
  const read = readJson(text);
  if (!read.ok) {
    const { line, found, expected } = read.why;
    return failure(
      `line ${String(line ?? 1)}: found ${found}; expected ${expected} (Claude Code takes plain JSON, and ignores the whole file where it is not: no comments, no trailing commas)`,
    );
  }
  const parsed = settingsSchema().safeParse(read.value.value);
  if (parsed.success) return success(read.value.value as Settings);
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
  const isList = issue?.code === 'invalid_type' && issue.expected === 'array';
  const expected = isList ? 'a list' : path.length === 3 ? 'an object with hooks' : 'an object';
  const at = read.value.lineOf(path);
  const found = formatValue(getValueAt(read.value.value, path));
  return failure(
    `${at === undefined ? '' : `line ${at}: `}${formatJsonPath(path)}: found ${found}; expected ${expected}`,
  );
}
