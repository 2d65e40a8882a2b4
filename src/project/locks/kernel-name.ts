import { statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { parseJson } from '../../base/json-object.ts';
import { sha256 } from '../../base/sha256.ts';
import type { DiskWait } from '../../base/disk-trouble.ts';

/** A holder that does not answer in time is busy; the asker uses other signs. */
const ANSWER_MS = 1000;
const LONGEST_ANSWER = 4096;

/**
 * On Linux, a name in the kernel's abstract socket space: only one process can hold it, and it is free once that
 * process is dead. It is derived from the git directory itself, so every path leads to the same name (a bind mount
 * too). Elsewhere this does not exist, and the lock file decides alone. A process that connects learns what the holder
 * waits for, and nothing else.
 */
export function bindName(commonDir: string, waits: () => DiskWait | undefined): Promise<Server | 'taken' | undefined> {
  if (process.platform !== 'linux') return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => {
      connection.on('error', () => connection.destroy());
      connection.end(JSON.stringify(waits() ?? null));
      connection.destroySoon();
    });
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve('taken') : reject(error),
    );
    server.listen(nameOf(commonDir), () => {
      server.unref();
      resolve(server);
    });
  });
}

/** The state of a holder by its own report. */
export interface HolderSays {
  /** What the holder waits for; undefined when it waits for nothing or does not answer. */
  readonly waits: DiskWait | undefined;
  /** It has the name and does not answer: it is stopped, or too busy. */
  readonly isSilent: boolean;
}

/** Asks the holder of the name. */
export function askHolder(commonDir: string): Promise<HolderSays> {
  if (process.platform !== 'linux') return Promise.resolve({ waits: undefined, isSilent: false });
  return new Promise((resolve) => {
    let text = '';
    const connection = connect(nameOf(commonDir));
    const endAs = (isSilent: boolean): void => {
      connection.destroy();
      resolve({ waits: waitIn(text), isSilent });
    };
    const end = (): void => endAs(false);
    connection
      .setTimeout(ANSWER_MS, () => endAs(text === ''))
      .setEncoding('utf8')
      .once('error', end)
      .once('close', end);
    connection.on('data', (part: string) => {
      text += part;
      if (text.length > LONGEST_ANSWER) end();
    });
  });
}

function nameOf(commonDir: string): string {
  const { dev, ino } = statSync(commonDir, { bigint: true });
  return `\0andon-${sha256(`${dev}:${ino}`).slice(0, 32)}`;
}

/** The holder may be an older andon, which sends nothing. */
function waitIn(text: string): DiskWait | undefined {
  const { errno, why, since } = (parseJson(text) ?? {}) as Partial<Record<keyof DiskWait, unknown>>;
  return typeof errno === 'string' && typeof why === 'string' && typeof since === 'string'
    ? { errno, why, since }
    : undefined;
}
