import { quoteForShell } from '../../base/shell-word.ts';
import { findCrashReason } from '../../base/crash-reason.ts';
import type { AgentCall, AgentFailure } from '../agent.ts';
import type { Command, Ending } from '../../sandbox/processes/command.ts';
import type { RunProgram } from '../../sandbox/processes/run.ts';
import { describeSignalEnd, describeEarlyEnd, createFailure, type AgentProgram } from './agent-program.ts';
import { readAllocatedContext, withoutSpinner } from './ollama-output.ts';
import { machineTime, parseResetTime } from './reset-time.ts';

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
 * work, and andon itself asks for that. So a server on this machine must also use CPU time; one that is not visible here
 * gives no evidence. One on another machine (`OLLAMA_HOST`) is trusted, up to the hard limit.
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

/** Why a command of `ollama` failed, as far as it can be determined; undefined when it ended with 0. */
export function explainOllamaFailure(whole: Ending, model: string, now = machineTime()): AgentFailure | undefined {
  const ending = { ...whole, stderr: withoutSpinner(whole.stderr) };
  const early = describeEarlyEnd('ollama', ending);
  if (early) return early;
  if (ending.exit === 0) return undefined;
  const text = findCrashReason(ending.stderr);
  const known = CAUSES.find(({ says }) => says.test(text));
  if (known !== undefined) {
    const until = known.kind === 'unavailable' ? parseResetTime(text, now) : undefined;
    return {
      ...createFailure(known.kind, known.sentence(model, text), ending),
      ...(until === undefined ? {} : { until }),
    };
  }
  const how = describeSignalEnd(ending) ?? ending.exit ?? 'no exit code';
  return createFailure('crash', `ollama ended with ${how}${text === '' ? '' : `: ${text}`}`, ending);
}

/** Causes by the line of stderr that says what failed. An answer that breaks off is a crash instead. */
const CAUSES: readonly {
  readonly says: RegExp;
  readonly kind: AgentFailure['kind'];
  sentence(model: string, text: string): string;
}[] = [
  // First, because the registry of a pull may be unreachable.
  {
    says: /pull model manifest|model .*not found/i,
    kind: 'refused',
    sentence: (model) => `ollama has no model ${model}; get it with \`ollama pull ${quoteModelName(model)}\``,
  },
  {
    says: /^Error: 429\b|\btoo many requests\b|(?:hit|reached) your .{0,30}\busage limit/i,
    kind: 'unavailable',
    sentence: (model, text) => `${model} is at a limit of its service (${text})`,
  },
  {
    says: /longer than the context length|exceeds? the (?:available |maximum )?context (?:length|size|window)/i,
    kind: 'too-long',
    sentence: (model, text) => `the prompt does not fit the window of ${model} (${text})`,
  },
  {
    says: /could not connect|connection refused|no route to host|network is unreachable|i\/o timeout/i,
    kind: 'unavailable',
    sentence: () => 'the ollama server is not running; start it with `ollama serve`',
  },
  {
    says: /server busy|maximum pending requests/i,
    kind: 'unavailable',
    sentence: () => 'the ollama server has too many requests waiting',
  },
  // A local server says 500 of a model that crashed; a service says it with a reference.
  {
    says: /^Error: 5(?:0[234]|2\d|30)\b|service unavailable|bad gateway|gateway time-?out|server error \(ref: /i,
    kind: 'unavailable',
    sentence: (model, text) => `the service of ${model} is down (${text})`,
  },
  {
    says: /connection reset by peer|temporary failure in name resolution|\bollama\.com: no such host/i,
    kind: 'unavailable',
    sentence: (_, text) => `the network of ollama failed (${text})`,
  },
  {
    says: /no such host|invalid (?:port|host)/i,
    kind: 'refused',
    sentence: (_, text) => `ollama looks for its server in the wrong place (${text}); correct OLLAMA_HOST`,
  },
  {
    says: /unknown (?:shorthand )?flag/i,
    kind: 'refused',
    sentence: (_, text) => `this ollama is too old (${text}); update it: https://ollama.com/download`,
  },
  {
    says: /requires more (?:system|GPU) memory|out of memory|cudaMalloc failed/i,
    kind: 'refused',
    sentence: (model, text) => `${model} does not fit into memory (${text}); take a smaller model or a smaller window`,
  },
  {
    says: /signed in|unauthorized/i,
    kind: 'refused',
    sentence: (model) => `${model} is a cloud model and ollama is not signed in; run \`ollama signin\``,
  },
];
