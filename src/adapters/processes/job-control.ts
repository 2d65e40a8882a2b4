import { execFileSync } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Whether this process was started to outlive its terminal, as `nohup` does it: nothing is read from a terminal, and all
 * output goes to files. Node.js takes back that SIGHUP is ignored, so this is how it can be known.
 */
export const outlivesTerminal = (): boolean => !isatty(0) && [1, 2].every((fd) => !isatty(fd) && !isReadByAnother(fd));

function isReadByAnother(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** Whether this process is a background job of its terminal; elsewhere than on Linux this is not known. */
export function isInBackground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // Behind the name, which may hold anything: state, parent, process group, session, terminal, its foreground group.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return foreground !== '-1' && foreground !== group;
  } catch {
    return false;
  }
}

/**
 * Whether writing to the terminal now would stop this process: it is a background job and the terminal is set to
 * `tostop`. Node.js cannot ignore the signal that the kernel sends then.
 */
export function isStoppedByOutput(): boolean {
  if (!isInBackground()) stops = undefined;
  else stops ??= hasTostop();
  return stops ?? false;
}

/** Asked once for each time in the background; undefined in the foreground. */
let stops: boolean | undefined;

function hasTostop(): boolean {
  try {
    return / tostop\b/.test(execFileSync('stty', ['-F', '/dev/tty', '-a'], { encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return false;
  }
}
