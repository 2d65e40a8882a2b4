import { formatJsonPath, formatValue } from '../../base/fault.ts';
import { readJson } from '../../base/json.ts';
import { editJson } from '../../base/json-edit.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';

/** The moments at which Claude Code asks: an agent, or one that it started, wants to end its turn. */
export const HOOK_EVENTS = ['Stop', 'SubagentStop'] as const;
export type StopEvent = (typeof HOOK_EVENTS)[number];

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

/** Whether a command of a hook is andon's, wherever andon lay when it was written. */
const isOurs = (command: unknown): boolean =>
  typeof command === 'string' && /(?:^|[\s/'"\\])andon(?:\.mjs)?['"]? hook claude run(?:\s|$)/.test(command);

/** The content of a settings file, or why Claude Code would refuse it. */
export function findHooks(text: string): Outcome<HooksThere, string> {
  const read = settingsIn(text);
  if (!read.ok) return read;
  const commands = HOOK_EVENTS.flatMap((event) => handlersIn(read.value, event));
  const ours = commands.filter(({ command }) => isOurs(command));
  return success({
    ours: ours.map(({ event, command }) => ({ event, command: String(command) })),
    others: commands.length - ours.length,
    isOff: read.value['disableAllHooks'] === true,
  });
}

/** The same text with andon's hooks appended; existing andon hooks now run `command`. */
export function withHooks(text: string, command: string): Outcome<string, string> {
  const whole = text.trim() === '' ? '{}\n' : text;
  const read = settingsIn(whole);
  if (!read.ok) return read;
  const group = { hooks: [{ type: 'command', command, timeout: TIMEOUT_SECONDS }] };
  return success(
    HOOK_EVENTS.reduce((edited, event) => {
      const there = handlersIn(read.value, event).filter((one) => isOurs(one.command));
      return there.length === 0
        ? editJson(edited, ['hooks', event, -1], group)
        : there.reduce((one, { path }) => editJson(one, [...path, 'command'], command), edited);
    }, whole),
  );
}

/** The same text without andon's hooks, and without the lists that only held them. */
export function withoutHooks(text: string): Outcome<string, string> {
  const read = settingsIn(text);
  if (!read.ok) return read;
  const left = new Map(
    HOOK_EVENTS.filter((event) => handlersIn(read.value, event).some(({ command }) => isOurs(command))).map((event) => [
      event,
      groupsIn(read.value, event).flatMap((group) => {
        const hooks = group.hooks.filter((handler) => !isOurs(commandOf(handler)));
        return hooks.length === 0 && group.hooks.length > 0 ? [] : [{ ...group, hooks }];
      }),
    ]),
  );
  const kept = Object.keys(Object(read.value['hooks'])).filter((event) => left.get(event as StopEvent)?.length !== 0);
  if (left.size > 0 && kept.length === 0) return success(editJson(text, ['hooks'], undefined));
  return success(
    [...left].reduce(
      (edited, [event, groups]) => editJson(edited, ['hooks', event], groups.length === 0 ? undefined : groups),
      text,
    ),
  );
}

/** Whether settings hold no key at all. */
export const isBlank = (text: string): boolean => /^\s*\{\s*\}\s*$/.test(text);

type Settings = Readonly<Record<string, unknown>>;

/** Settings whose hooks are shaped as Claude Code wants them; it ignores a file that is not JSON as a whole, a comment suffices. */
function settingsIn(text: string): Outcome<Settings, string> {
  const read = readJson(text);
  if (!read.ok) {
    const { line, found, expected } = read.why;
    return failure(
      `line ${String(line ?? 1)}: found ${found}; expected ${expected} (Claude Code takes plain JSON, and ignores the whole file where it is not: no comments, no trailing commas)`,
    );
  }
  const { value } = read.value;
  const wrong = faultIn(value);
  if (wrong === undefined) return success(value as Settings);
  const at = read.value.lineOf(wrong.path);
  return failure(
    `${at === undefined ? '' : `line ${at}: `}${formatJsonPath(wrong.path)}: found ${formatValue(wrong.found)}; expected ${wrong.expected}`,
  );
}

interface Wrong {
  readonly path: readonly (string | number)[];
  readonly found: unknown;
  readonly expected: string;
}

function faultIn(value: unknown): Wrong | undefined {
  if (!isObject(value)) return { path: [], found: value, expected: 'an object' };
  const { hooks } = value;
  if (hooks === undefined) return undefined;
  if (!isObject(hooks)) return { path: ['hooks'], found: hooks, expected: 'an object' };
  for (const event of HOOK_EVENTS) {
    const groups = hooks[event];
    if (groups === undefined) continue;
    if (!Array.isArray(groups)) return { path: ['hooks', event], found: groups, expected: 'a list' };
    for (const [at, group] of (groups as readonly unknown[]).entries()) {
      const path = ['hooks', event, at];
      if (!isObject(group)) return { path, found: group, expected: 'an object with hooks' };
      if (!Array.isArray(group['hooks']))
        return { path: [...path, 'hooks'], found: group['hooks'], expected: 'a list' };
    }
  }
  return undefined;
}

interface Handler {
  readonly event: StopEvent;
  readonly path: readonly (string | number)[];
  readonly command: unknown;
}

interface Group {
  readonly hooks: readonly unknown[];
}

const groupsIn = (settings: Settings, event: StopEvent): readonly Group[] =>
  ((isObject(settings['hooks']) ? settings['hooks'][event] : undefined) ?? []) as readonly Group[];

const handlersIn = (settings: Settings, event: StopEvent): readonly Handler[] =>
  groupsIn(settings, event).flatMap(({ hooks }, at) =>
    hooks.map((handler, place) => ({ event, path: ['hooks', event, at, 'hooks', place], command: commandOf(handler) })),
  );

const commandOf = (handler: unknown): unknown => (isObject(handler) ? handler['command'] : undefined);

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
