import { appendFileSync } from 'node:fs';

/**
 * Every point at which andon's own disk writes can be interrupted, named by the write; a test keeps this list and the
 * calls equal.
 */
export const FAILPOINTS = [
  'file.replace.before-write',
  'file.replace.before-sync',
  'file.replace.before-rename',
  'file.replace.after-rename',
  'file.append.before-write',
  'file.append.half-written',
  'file.append.after-write',
  'file.move.before-rename',
  'file.move.after-rename',
  'file.take.before-rename',
  'file.take.after-rename',
  'file.take.after-link',
  'file.remove.before-unlink',
  'file.remove.after-unlink',
  'file.remove-folder.before',
  'file.remove-folder.after',
  'journal.open.before-tables',
  'journal.append.before-begin',
  'journal.append.before-commit',
  'journal.append.after-commit',
  'ledger.reserve.before-commit',
  'ledger.reserve.after-commit',
  'ledger.settle.before-write',
  'ledger.settle.after-write',
  'objects.write.before-write',
  'objects.write.before-rename',
  'objects.write.after-rename',
  'objects.give.before-link',
  'objects.give.after-link',
  'refs.publish.before-update-ref',
  'refs.publish.after-update-ref',
  'merge.before-fast-forward',
  'merge.after-fast-forward',
  'merge.repair.before-locks',
  'merge.repair.before-files',
  'merge.repair.after-files',
  'vault.make.before-rename',
  'vault.alternates.before-rename',
  'vault.check-out.before-files',
  'vault.check-out.after-files',
  'folders.desk.before-write',
  'folders.call.before-write',
  'folders.call.after-write',
  'folders.tidy.before-remove',
  'folders.tidy.after-remove',
  'processes.began.before-write',
  'processes.began.after-write',
  'processes.ended.before-remove',
  'lock.take.before-owner',
  'lock.take.after-owner',
  'lock.release.before-owner',
  'lock.release.after-owner',
] as const;

type Failpoint = (typeof FAILPOINTS)[number];

/**
 * `ANDON_FAILPOINT`: `<name>[:kill|:stop|:error=<code>|:log=<file>][#<hit>|#<from>-[<to>]]`, `*` for every name;
 * separated by spaces.
 */
interface Armed {
  readonly name: string;
  readonly action: string;
  readonly from: number;
  readonly to: number;
}

/** Error codes of disks, or of a process with too many open files. */
const CODES = ['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EMFILE'] as const;

/**
 * Marks a point before or after one effect on a disk. It does nothing unless an environment variable of the user names
 * it. Then andon is killed there, pauses until it is continued, or the effect fails, for a test. No repository,
 * contract or agent can set that variable, and no child process inherits it.
 */
export function failpoint(name: Failpoint): void {
  for (const one of armed) if (one.name === name || one.name === '*') hit(name, one);
}

function hit(name: Failpoint, armed: Armed & { hits: number }): void {
  armed.hits += 1;
  if (armed.hits < armed.from || armed.hits > armed.to) return;
  const [what, value = ''] = split(armed.action, '=');
  if (what === 'kill') process.kill(process.pid, 'SIGKILL');
  if (what === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (what === 'log') appendFileSync(value, `${process.pid} ${name}\n`);
  if (what === 'error') throw Object.assign(new Error(`${value}: ${name}`), { code: value, syscall: name });
}

/** Whether a half-done effect is requested, which must then be done in two halves. */
export const isArmed = (name: Failpoint): boolean => armed.some((one) => one.name === name || one.name === '*');

/** Parses the variable; an unknown failpoint or action is an error, since a test that kills nothing proves nothing. */
export function readFailpoint(text: string): Armed {
  const [, name = '', action = 'kill', from, open, to] =
    /^([a-z.*-]+)(?::(kill|stop|error=[A-Z]+|log=[^#]+))?(?:#(\d+)(?:(-)(\d+)?)?)?$/.exec(text) ?? [];
  const isKnown = name === '*' || (FAILPOINTS as readonly string[]).includes(name);
  const code = split(action, '=')[1];
  if (!isKnown || (action.startsWith('error') && !(CODES as readonly string[]).includes(code ?? '')))
    throw new Error(
      `ANDON_FAILPOINT=${text} has an unknown failpoint or action; src/base/system/failpoints.ts lists them`,
    );
  if (from === undefined) return { name, action, from: 1, to: action.startsWith('log') ? Infinity : 1 };
  const last = open === undefined ? Number(from) : to === undefined ? Infinity : Number(to);
  return { name, action, from: Number(from), to: last };
}

const split = (text: string, mark: string): readonly [string, string | undefined] => {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
};

const wishes = (process.env['ANDON_FAILPOINT'] ?? '').split(' ').filter((wish) => wish !== '');
const armed = wishes.map((wish) => ({ ...readFailpoint(wish), hits: 0 }));
