import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import { readLink, readProc } from './proc.ts';

/** What Linux says of a process's place among the jobs of its terminal. */
interface JobFacts {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** 0 = the process has no controlling terminal. */
  readonly terminal: number;
  /** The process group in the foreground of that terminal. */
  readonly foreground: number;
}

function readJobFacts(): JobFacts | undefined {
  const text = readProc('self/stat');
  if (text === '') return undefined;
  const [, parent, group, session, terminal, foreground] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  if (parent === undefined || group === undefined || session === undefined) return undefined;
  return { parent, group, session, terminal: terminal ?? 0, foreground: foreground ?? -1 };
}

/** SIGHUP is signal 1, the lowest bit of the mask. */
const ignoresHangUp = (pid: number): boolean => /^SigIgn:\s*[\da-f]*[13579bdf]$/im.test(readProc(`${pid}/status`));

/** `nohup` replaces a terminal on standard input by a file that can only be written. */
const isWriteOnly = (fd: number): boolean => {
  const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readProc(`self/fdinfo/${fd}`)) ?? [];
  return (Number.parseInt(flags, 8) & 0o3) === 0o1;
};

/**
 * Whether this process was started to outlive its terminal. Node.js resets an ignored SIGHUP before any JavaScript runs,
 * so this looks at what `nohup`, `trap '' HUP` and `setsid` leave behind elsewhere: the command that the shell names in
 * `_`, the mask of the parent, standard input and output, and a session of its own without a terminal.
 */
export function wasToldToIgnoreHangUp(env: NodeJS.ProcessEnv): boolean {
  if (basename(env['_'] ?? '') === 'nohup' || isWriteOnly(0)) return true;
  if ([1, 2].some((fd) => basename(readLink(`self/fd/${fd}`)) === 'nohup.out')) return true;
  const job = readJobFacts();
  if (job === undefined) return false;
  return (job.session === process.pid && job.terminal === 0) || ignoresHangUp(job.parent);
}

/** Whether keys may be read and the whole window be drawn upon: the terminal is this process group's, in the foreground. */
export function isInForeground(): boolean {
  const job = readJobFacts();
  if (job === undefined) return ps().includes('+');
  return job.terminal !== 0 && job.foreground === job.group;
}

/** Whether writing to the terminal stops nobody: `stty tostop` stops the process group of a background job that writes. */
export function mayWriteToTerminal(): boolean {
  const [terminal] = [1, 2].filter((fd) => isatty(fd));
  if (terminal === undefined || isInForeground()) return true;
  return readJobFacts()?.terminal === 0 || !stopsWriters(terminal);
}

/** A setting and, elsewhere than on Linux, the foreground are looked up in another program, at most this often. */
const LOOK_UP_MS = 1000;
const lookUp = (command: string, args: readonly string[], fd: number | 'ignore'): (() => string) => {
  let at = Number.NEGATIVE_INFINITY;
  let text = '';
  return () => {
    if (performance.now() - at < LOOK_UP_MS) return text;
    at = performance.now();
    try {
      text = execFileSync(command, args, { stdio: [fd, 'pipe', 'ignore'], encoding: 'utf8', timeout: LOOK_UP_MS });
    } catch {
      text = '';
    }
    return text;
  };
};
const ps = lookUp('/bin/ps', ['-o', 'stat=', '-p', String(process.pid)], 'ignore');
const settings = new Map<number, () => string>();

/** In doubt yes. */
function stopsWriters(fd: number): boolean {
  const read = settings.get(fd) ?? lookUp('/bin/stty', ['-a'], fd);
  settings.set(fd, read);
  return !/(?:^|[\s;])-tostop\b/.test(read());
}
