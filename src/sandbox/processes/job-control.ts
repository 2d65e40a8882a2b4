import { execFileSync } from 'node:child_process';
import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { readProc } from './proc.ts';

/**
 * Whether this process was started to outlive its terminal, as by `nohup`: it reads from no terminal, and all output
 * goes to files. Node.js resets an ignored SIGHUP, so this is the only sign.
 */
export const isDetachedFromTerminal = (): boolean =>
  !isatty(0) && [1, 2].every((fd) => !isatty(fd) && !isReadByAnother(fd));

function isReadByAnother(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Whether this process is a background job of its terminal; Linux only. */
export function isInBackground(): boolean {
  const stat = readProc('self/stat');
  // After the name, which may hold anything: state, parent, process group, session, terminal, its foreground group.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return stat !== '' && foreground !== '-1' && foreground !== group;
}

/**
 * Whether writing to the terminal now would stop this process: a background job with `tostop` set. Node.js cannot
 * ignore that signal.
 */
export function isStoppedByOutput(): boolean {
  if (!isInBackground()) stops = undefined;
  else stops ??= hasTostop();
  return stops ?? false;
}

/** Asked once per time in the background; undefined in the foreground. */
let stops: boolean | undefined;

function hasTostop(): boolean {
  try {
    return / tostop\b/.test(execFileSync('stty', ['-F', '/dev/tty', '-a'], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return false;
  }
}
