import { quoteForShell } from '../../base/shell-word.ts';
import type { AgentCall } from '../../ports/agent.ts';
import type { Command, Ending } from '../processes/command.ts';
import type { RunProgram } from '../processes/run.ts';
import type { AgentProgram } from './agent-program.ts';
import { readAllocatedContext } from './ollama-output.ts';

/** How to start `ollama`, and which of its models replace those of contracts. */
export interface OllamaProgram extends AgentProgram {
  readonly models?: Readonly<Record<string, string>>;
}

/** Where and how long a question to `ollama` may run. */
export type OllamaQueryOptions = Pick<AgentCall, 'folder' | 'signal'> & { readonly hardMs?: number | undefined };

/** Runs a command of `ollama` that asks no model, without input. */
export type AskOllama = (args: readonly string[], asking: OllamaQueryOptions) => Promise<Ending>;

/** The server answers short questions at once, even while a model works. */
export const QUESTION_MS = 30_000;

export const createOllamaClient =
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

/** The model to use for a contract's `model`; `:latest` makes no difference. */
export function resolveModel({ models = {} }: OllamaProgram, model: string): string {
  const names = [model, model.replace(/:latest$/, ''), `${model}:latest`];
  const known = names.find((name) => Object.hasOwn(models, name));
  return known === undefined ? model : (models[known] ?? model);
}

/** A model's name as an argument in a shell, quoted where needed. */
export const quoteModelName = (model: string): string => (/^[\w.:/@-]+$/.test(model) ? model : quoteForShell(model));

/** A question gets at least the time that a program needs to start. */
const LEAST_MS = 1000;

/**
 * Whether the server works for a silent client: `ollama ps` lists the model. A model stays listed for minutes after its
 * work, so a local server must also use CPU time. A remote one is trusted, up to the hard limit.
 */
export function createServerProbe(
  ask: AskOllama,
  model: string,
  asking: OllamaQueryOptions,
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

/** Whether the server runs on this machine. */
const isHere = (host: string | undefined): boolean =>
  host === undefined ||
  host === '' ||
  /^(?:https?:\/\/)?(?:(?:127(?:\.\d+){3}|localhost|0\.0\.0\.0|\[::1?\])(?![\w.-])|:\d)/i.test(host);
