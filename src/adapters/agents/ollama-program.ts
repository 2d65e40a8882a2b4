import { quoted } from '../../base/shell-word.ts';
import type { AgentCall } from '../../ports/agent.ts';
import type { Command, Ending } from '../processes/command.ts';
import type { RunProgram } from '../processes/run.ts';
import type { AgentProgram } from './agent-program.ts';
import { readAllocatedContext } from './ollama-output.ts';

/** How `ollama` is started, and which of its models stand for those that contracts name. */
export interface OllamaProgram extends AgentProgram {
  readonly models?: Readonly<Record<string, string>>;
}

/** Where and how long a question to `ollama` may run. */
export type Asking = Pick<AgentCall, 'folder' | 'signal'> & { readonly hardMs?: number | undefined };

/** One command of `ollama` that is no answer of a model: run to its end, nothing on standard input. */
export type AskOllama = (args: readonly string[], asking: Asking) => Promise<Ending>;

/** Short questions to the server are answered at once, also while a model works. */
export const QUESTION_MS = 30_000;

/** Makes the function through which every question goes. */
export const asker =
  (run: RunProgram, program: OllamaProgram): AskOllama =>
  (args, { folder, signal, hardMs = QUESTION_MS }) =>
    run({
      program: program.program,
      args: [...program.args, ...args],
      cwd: folder,
      env: program.env,
      input: '',
      signal,
      hardMs,
    });

/** The model that is really asked when a contract names `model`; with and without `:latest` it is the same one. */
export function modelFor({ models = {} }: OllamaProgram, model: string): string {
  const names = [model, model.replace(/:latest$/, ''), `${model}:latest`];
  const known = names.find((name) => Object.hasOwn(models, name));
  return known === undefined ? model : (models[known] ?? model);
}

/** A model's name as it may be typed behind a command: quoted where a shell would read more than a name in it. */
export const typed = (model: string): string => (/^[\w.:/@-]+$/.test(model) ? model : quoted(model));

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
