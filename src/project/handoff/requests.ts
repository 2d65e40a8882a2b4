import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { identifyThisProcess, isAlive } from '../locks/holder.ts';
import { isDiskTrouble } from '../../base/disk-trouble.ts';
import { parseJson } from '../../base/json-object.ts';
import { requestReplySchema, requestSchema, type Request, type RequestReply } from '../requests/request.ts';
import { openDir, type SafeDir } from '../../base/system/safe-fs.ts';

/** A short-lived command polls for its answer; the daemon itself gets an event. */
const ANSWER_POLL_MS = 20;
/** The command of an answer that is older and unread is dead. */
const FORGOTTEN_MS = 60_000;
/** An answer may hold a whole task. */
const LARGEST = 32 * 1024 * 1024;

/** The channel between a command and a running daemon: files in the state folder, where agents cannot write. */
export type Requests = ReturnType<typeof createRequestFiles>;

/** A request and the process that asks, which a request must not outlive. */
const askedSchema = lazy(() =>
  z.strictObject({
    asker: z.strictObject({ pid: z.int(), startTime: z.string(), boot: z.string() }),
    request: requestSchema(),
  }),
);

/** Requests as files in `folder`: `<id>.ask.json`, answered by `<id>.answer.json`. */
export function createRequestFiles(folder: string) {
  const door = openDir(folder);
  const file = (id: string, what: 'ask' | 'answer'): string => `${id}.${what}.json`;
  const read = (name: string): unknown => {
    const found = door.text(name, LARGEST);
    return found.ok ? parseJson(found.value ?? '') : undefined;
  };
  /** Undefined of one that is over; throws where the disk fails. */
  const readWaiting = (id: string): Request | undefined => {
    const found = door.text(file(id, 'ask'), LARGEST);
    if (!found.ok && isDiskTrouble(found.why)) throw new Error(`${join(folder, file(id, 'ask'))} ${found.why}`);
    const parsed = askedSchema().safeParse(parseJson(found.ok ? (found.value ?? '') : ''));
    return parsed.success && isAlive(parsed.data.asker) ? parsed.data.request : undefined;
  };
  return {
    isWaiting: (id: string): boolean => readWaiting(id) !== undefined,
    /** Unanswered requests of commands that still wait; any other is removed. */
    waiting() {
      const names = door.entries('').map(({ name }) => name);
      for (const name of names) if (name.endsWith('.answer.json') && isForgotten(door, name)) door.remove(name);
      return names
        .filter((name) => name.endsWith('.ask.json') && !name.startsWith('.'))
        .flatMap((name) => {
          const id = name.slice(0, -'.ask.json'.length);
          const request = readWaiting(id);
          if (request === undefined) door.remove(file(id, 'ask'));
          return request === undefined ? [] : [{ id, request }];
        });
    },
    answer(id: string, answer: RequestReply) {
      door.write(file(id, 'answer'), JSON.stringify(answer));
      door.remove(file(id, 'ask'));
    },
    /** Asks and waits; undefined when no answer comes within `ms`, or the daemon is gone. */
    async ask(request: Request, ms: number, isThere: () => boolean) {
      const id = randomUUID();
      door.write(file(id, 'ask'), JSON.stringify({ asker: identifyThisProcess(), request }));
      const until = performance.now() + ms;
      const answered = (): boolean => requestReplySchema().safeParse(read(file(id, 'answer'))).success;
      while (!answered() && isThere() && performance.now() < until) await sleep(ANSWER_POLL_MS);
      const answer = requestReplySchema().safeParse(read(file(id, 'answer')));
      door.remove(file(id, 'ask'));
      door.remove(file(id, 'answer'));
      return answer.success ? answer.data : undefined;
    },
  };
}

function isForgotten(door: SafeDir, name: string): boolean {
  const stat = door.stat(name);
  return stat !== undefined && Date.now() - stat.mtimeMs > FORGOTTEN_MS;
}
