/** Whether a message of Node, SQLite or git means that a disk takes no writes, or that too many files are open. */
export const isDiskTrouble = (words: string): boolean =>
  isDiskFull(words) || FAILING.test(words) || GIT_CANNOT_WRITE.test(words);

/** Whether the message says that the disk is full or read-only: then a halt cannot be recorded either. */
export const isDiskFull = (words: string): boolean => FULL.test(words);

const FULL =
  /\b(?:ENOSPC|EDQUOT|EROFS)\b|database or disk is full|readonly database|No space left on device|Disk quota exceeded|Read-only file system/;

/** git often leaves the kernel's word out. */
const GIT_CANNOT_WRITE =
  /\b(?:failed to write (?:new configuration file|commit object)|unable to (?:write (?:new |loose )?\w+ file|create temporary file)|(?:fatal|error): write error)/;

const FAILING =
  /\b(?:EIO|EMFILE|ENFILE)\b|disk I\/O error|unable to open database file|Input\/output error|Too many open files|\b(?:EPERM|EACCES): .*\/_handoff\//;

/** The state of a disk that takes no writes. */
export interface DiskWait {
  /** The kernel's name of the error, such as `EDQUOT`; empty where it is unknown. */
  readonly errno: string;
  /** The error as words. */
  readonly why: string;
  readonly since: string;
}

/** The exact fault of a disk: a quota, a full disk and a read-only one differ. */
export function classifyDiskError(words: string): Pick<DiskWait, 'errno' | 'why'> {
  const errno =
    Object.keys(MEANINGS).find((code) => new RegExp(`\\b${code}\\b`).test(words)) ??
    PHRASES.find(([phrase]) => phrase.test(words))?.[1] ??
    '';
  return { errno, why: MEANINGS[errno] ?? words.replace(/\s+/g, ' ').trim().slice(0, 200) };
}

/** The same for a sentence: `EDQUOT: disk quota exceeded`. */
export const describeDiskError = ({ errno, why }: Pick<DiskWait, 'errno' | 'why'>): string =>
  errno === '' ? why : `${errno}: ${why}`;

/** Why nothing runs, for the daemon and every command that shows the line. */
export const describeDiskWait = (wait: Pick<DiskWait, 'errno' | 'why'>): string =>
  `nothing runs: ${explainDiskWait(wait)}`;

export function explainDiskWait(wait: Pick<DiskWait, 'errno' | 'why'>): string {
  const what = /^E[MN]FILE$/.test(wait.errno) ? 'no more files can be opened' : 'the disk takes no writes';
  return `${what} (${describeDiskError(wait)}); andon goes on by itself when that is over`;
}

const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/i, 'ENOSPC'],
  [/Disk quota exceeded/i, 'EDQUOT'],
  [/Read-only file system/i, 'EROFS'],
  [/Input\/output error/i, 'EIO'],
  [/Too many open files/i, 'EMFILE'],
];

const MEANINGS: Readonly<Record<string, string | undefined>> = {
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EROFS: 'read-only file system',
  EIO: 'input/output error',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files in the system',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
};
