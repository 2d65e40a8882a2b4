import { readIfThere } from '../../project/folders/user-folders.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { CONFIG, readSettings, type UserLimits } from '../../project/config/read-settings.ts';
import { checkProgramNames } from '../../project/config/check-program-names.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import { listShippedDrivers, type Workspace } from '../../project/workspace/load-workspace.ts';
import type { LineEvent } from './services.ts';

/** An editor may save in pieces: a changed file counts once it has not changed for this long. */
const SETTLE_MS = 200;

/** The user's own configuration file while andon runs; it is read again on every call. */
export type UserFile = ReturnType<typeof openUserFile>;

/**
 * Opens the user's configuration file for a process that stays. A change counts without a restart. A file with a fault is
 * reported once, and the last text without a fault stays in force.
 */
export function openUserFile(
  { userConfig, userText, settings }: Pick<Workspace, 'userConfig' | 'userText' | 'settings'>,
  say: (news: LineEvent) => void,
) {
  let limits: UserLimits = { hours: settings.hours, ceilings: settings.ceilings };
  let inForce = userText;
  let fault: string | undefined;
  let checked: string | undefined | typeof UNREADABLE = userText;
  let seen = { text: textOf(userConfig), since: Number.NEGATIVE_INFINITY };
  const word = (level: 'info' | 'warn', text: string): void => say({ kind: 'word', level, text });
  const update = (): void => {
    const text = textOf(userConfig);
    if (text === checked) return;
    if (text !== seen.text) seen = { text, since: performance.now() };
    if (performance.now() - seen.since < SETTLE_MS) return;
    checked = text;
    const read = typeof text === 'symbol' ? CANNOT : readUserFile(userConfig, text);
    if (!read.ok) {
      fault = toTerminalLine(read.why[0] ?? '', 400);
      word('warn', `your configuration stays as it was: ${fault}`);
      return;
    }
    if (text !== inForce) word('info', `your configuration is now what ${toTerminalLine(userConfig, 200)} says`);
    fault = undefined;
    limits = read.value;
    inForce = typeof text === 'symbol' ? undefined : text;
  };
  return {
    /** The newest text without a fault. */
    text(): string | undefined {
      update();
      return inForce;
    },
    limits(): UserLimits {
      update();
      return limits;
    },
    /** Why the file on disk is not in use; undefined when it is. */
    fault(): string | undefined {
      update();
      return fault;
    },
  };
}

/** Checks the whole file, which must not be empty: it may just be being saved, and would lift every ceiling. */
function readUserFile(name: string, text: string | undefined): Outcome<UserLimits, readonly string[]> {
  if (text === undefined || text.trim() === '') return failure([`${name} is ${text === undefined ? 'gone' : 'empty'}`]);
  const whole = readSettings({ name: CONFIG, text: undefined }, { name, text }, '/');
  const why = whole.ok ? checkProgramNames(name, whole.value, listShippedDrivers) : [];
  return why.length > 0 ? failure(why) : whole;
}

const UNREADABLE = Symbol('unreadable');
const CANNOT = failure(['your configuration is no plain file that can be read']);

/** The text of a file; undefined when there is no file. */
function textOf(file: string): string | undefined | typeof UNREADABLE {
  try {
    return readIfThere(file);
  } catch {
    return UNREADABLE;
  }
}
