/** Whether these words, of Node, SQLite or git, say that a disk takes nothing now, or that too many files are open. */
export const isDiskTrouble = (words: string): boolean => isDiskFull(words) || FAILING.test(words);

/** Whether they say that it is full or read-only: then nobody could write down a halt either. */
export const isDiskFull = (words: string): boolean => FULL.test(words);

const FULL =
  /\b(?:ENOSPC|EDQUOT|EROFS)\b|database or disk is full|readonly database|No space left on device|Disk quota exceeded|Read-only file system/;

const FAILING =
  /\b(?:EIO|EMFILE|ENFILE)\b|disk I\/O error|unable to open database file|Input\/output error|Too many open files|\b(?:EPERM|EACCES): .*\/_handoff\//;
