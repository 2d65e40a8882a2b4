import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { answerSchema, requestSchema } from '../../formats/request.ts';
import type { Requests } from '../../ports/requests.ts';
import { removeFile, replaceFile } from '../durable.ts';

/** A short-lived command looks for its answer this often; the daemon itself is told by an event. */
const ANSWER_POLL_MS = 20;
/** An answer that nobody has fetched by then was asked for by a command that is dead. */
const FORGOTTEN_MS = 60_000;

/** Requests as files in `folder`: `<id>.ask.json`, answered by `<id>.answer.json`. */
export function requestFiles(folder: string): Requests {
  const file = (id: string, what: 'ask' | 'answer'): string => join(folder, `${id}.${what}.json`);
  const read = (path: string): unknown => {
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch {
      return undefined;
    }
  };
  return {
    waiting() {
      const names = readdirSync(folder);
      for (const name of names)
        if (name.endsWith('.answer.json') && isForgotten(join(folder, name))) removeFile(join(folder, name));
      return names
        .filter((name) => name.endsWith('.ask.json') && !name.startsWith('.'))
        .flatMap((name) => {
          const id = name.slice(0, -'.ask.json'.length);
          const parsed = requestSchema.safeParse(read(file(id, 'ask')));
          if (!parsed.success) removeFile(file(id, 'ask'));
          return parsed.success ? [{ id, request: parsed.data }] : [];
        });
    },
    answer(id, answer) {
      replaceFile(file(id, 'answer'), JSON.stringify(answer));
      removeFile(file(id, 'ask'));
    },
    async ask(request, ms, isThere) {
      const id = randomUUID();
      replaceFile(file(id, 'ask'), JSON.stringify(request));
      const until = performance.now() + ms;
      const answered = (): boolean => answerSchema.safeParse(read(file(id, 'answer'))).success;
      while (!answered() && isThere() && performance.now() < until) await pause(ANSWER_POLL_MS);
      const answer = answerSchema.safeParse(read(file(id, 'answer')));
      removeFile(file(id, 'ask'));
      removeFile(file(id, 'answer'));
      return answer.success ? answer.data : undefined;
    },
  };
}

function isForgotten(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > FORGOTTEN_MS;
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
