import type { Command } from '../processes/command.ts';
import { readAllocatedContext } from './ollama-output.ts';
import { QUESTION_MS } from './ollama-program.ts';
import type { AskOllama, Asking } from './ollama-program.ts';

/** No question is given less time than a program needs to start. */
const LEAST_MS = 1000;

/**
 * Whether the server works for a client that says nothing: `ollama ps` lists the model. It stays listed for minutes after
 * its work, so a server on this machine must also use CPU time; one elsewhere is believed, up to the hard limit.
 */
export function ollamaAtWork(
  ask: AskOllama,
  model: string,
  asking: Asking,
  host: string | undefined,
): NonNullable<Command['alsoAlive']> {
  return {
    server: isHere(host) ? { program: 'ollama', command: 'serve' } : undefined,
    async says(everyMs) {
      const listed = await ask(['ps'], { ...asking, hardMs: Math.min(QUESTION_MS, Math.max(LEAST_MS, everyMs)) });
      if (listed.ended !== 'exited' || listed.exit !== 0) return undefined;
      return readAllocatedContext(listed.stdout, model) === undefined
        ? undefined
        : `\`ollama ps\`, which lists ${model}`;
    },
  };
}

/** Whether the server that is asked runs on this machine. */
const isHere = (host: string | undefined): boolean =>
  host === undefined ||
  host === '' ||
  /^(?:https?:\/\/)?(?:(?:127(?:\.\d+){3}|localhost|0\.0\.0\.0|\[::1?\])(?![\w.-])|:\d)/i.test(host);
