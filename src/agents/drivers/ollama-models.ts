import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { getLastLine } from '../../base/get-last-line.ts';
import type { AgentFailure, Ailment, LocalModels, ModelWindow } from '../agent.ts';
import { readAllocatedContext, readShown, readVersions, withoutSpinner } from './ollama-output.ts';
import {
  explainOllamaFailure,
  resolveModel,
  quoteModelName,
  type AskOllama,
  type OllamaProgram,
  type OllamaQueryOptions,
} from './ollama-program.ts';

/** Required options of `ollama run`; checked by name, because versions say little. */
const OPTIONS = ['nowordwrap', 'hidethinking', 'think', 'verbose', 'keepalive', 'format'];
const INSTALL = 'install it: https://ollama.com/download (`andon demo` runs without it)';

/** The models of ollama: inspected without a pull, and given a larger window. */
export function createOllamaModels(ask: AskOllama, program: OllamaProgram): LocalModels {
  const asking = (folder = '/', hardMs?: number) => ({ folder, signal: new AbortController().signal, hardMs });
  return {
    standingFor: (model) => resolveModel(program, model),
    async ready() {
      const version = await ask(['--version'], asking());
      const broken = explainOllamaFailure(version, '');
      if (broken) return failure(ailment(broken, ''));
      const { server, client } = readVersions(version.stdout);
      if (client === undefined)
        return failure({ why: `\`ollama --version\` gives no version${getErrorLine(version)}`, remedy: INSTALL });
      const help = await ask(['run', '--help'], asking());
      const unknown = OPTIONS.filter((option) => !new RegExp(`--${option}(?![\\w-])`).test(help.stdout));
      if (unknown.length > 0)
        return failure({
          why: `ollama ${client} does not know ${unknown.map((option) => `--${option}`).join(', ')} of \`ollama run\``,
          remedy: 'update it: https://ollama.com/download',
        });
      const down = explainOllamaFailure(await ask(['ps'], asking()), '');
      if (down) return failure(ailment(down, ''));
      return success(server === undefined || server === client ? client : `${client}, its server ${server}`);
    },
    async window(model, { load }) {
      const real = resolveModel(program, model);
      const found = await (load ? loadModelWindow(ask, real, asking(), LOAD_MS) : readWindow(ask, real, asking()));
      return found.ok ? found : failure(ailment(found.why, real, real === model ? undefined : model));
    },
    async derive(model, window, folder) {
      const standing = resolveModel(program, model);
      const name = derivedName(model, window);
      const base = standing !== name && (await readWindow(ask, standing, asking())).ok ? standing : model;
      if (!/^[\w.][\w.:/@-]*$/.test(base))
        return failure({ why: `the name ${base} cannot stand in a Modelfile`, remedy: 'copy it: `ollama cp`' });
      const there = await readWindow(ask, base, asking()); // `create` would pull a missing base
      if (!there.ok) return failure(ailment(there.why, base));
      writeFileSync(join(folder, 'Modelfile'), `FROM ${base}\nPARAMETER num_ctx ${window}\nPARAMETER temperature 0\n`);
      const made = explainOllamaFailure(await ask(['create', name, '-f', 'Modelfile'], asking(folder, LOAD_MS)), base);
      if (made) return failure(ailment(made, base));
      const found = await readWindow(ask, name, asking());
      if (!found.ok) return failure(ailment(found.why, name));
      return found.value.tokens >= window
        ? success(name)
        : failure({ why: `${name} was made, but its window is ${found.value.tokens}`, remedy: 'take another model' });
    },
  };
}

/** The names of all available models; empty when the server does not answer. */
export async function listModels(ask: AskOllama): Promise<readonly string[]> {
  const listed = await ask(['list'], { folder: '/', signal: new AbortController().signal });
  if (listed.exit !== 0) return [];
  const rows = listed.stdout.split('\n').slice(1);
  return rows.map((row) => row.split(/\s+/)[0] ?? '').filter((name) => name !== '');
}

/** A failure during a check: the sentence, and the command that fixes it. */
function ailment({ kind, detail }: AgentFailure, model: string, wanted?: string): Ailment {
  const [why = detail, ...rest] = detail.split('; ');
  if (wanted !== undefined && detail.includes('has no model'))
    return {
      why: `${why}, which your own configuration puts in the place of ${wanted}`,
      remedy: '`andon doctor --fix` makes it; or correct `agents.ollama.models`',
    };
  if (kind === 'missing') return { why, remedy: INSTALL };
  return {
    why,
    remedy:
      rest.length > 0
        ? rest.join('; ')
        : `see what \`ollama ${model === '' ? '--version' : `show ${quoteModelName(model)}`}\` says`,
  };
}

/** `andon-qwen2.5-coder-32k`; registry, namespace and tag become parts of the name. */
const derivedName = (model: string, window: number): string =>
  `andon-${model.replace(/:latest$/, '').replace(/[^A-Za-z0-9._]+/g, '-')}-${window % 1024 === 0 ? `${window / 1024}k` : window}`;

const getErrorLine = ({ stderr }: { readonly stderr: string }): string => {
  const line = getLastLine(withoutSpinner(stderr), 300);
  return line === '' ? '' : ` (${line})`;
};

/** The default window of ollama on a machine with little memory. */
const SMALLEST_WINDOW = 4096;
/** Loading a large model from a slow disk takes minutes; so may writing a new one. */
export const LOAD_MS = 15 * 60_000;
/** How long a loaded model stays in memory; answers ask for the same time. */
export const KEEP_ALIVE = ['--keepalive', '10m'] as const;

/**
 * The window that the next call of a model gets, if it can be determined without loading it. A model that another
 * program loaded with a window other than its own `num_ctx` is loaded again for andon.
 */
async function readWindow(
  ask: AskOllama,
  model: string,
  asking: OllamaQueryOptions,
): Promise<Outcome<ModelWindow, AgentFailure>> {
  const shown = await ask(['show', model], asking);
  const missing = explainOllamaFailure(shown, model);
  if (missing) return failure(missing.kind === 'crash' ? { ...missing, kind: kindOf(missing) } : missing);
  const { asks, largest } = readShown(shown.stdout);
  const own = asks === undefined ? undefined : Math.min(asks, largest ?? asks);
  const loaded = await askAllocated(ask, model, asking);
  if (!loaded.ok) return loaded;
  if (loaded.value !== undefined && (own === undefined || own === loaded.value))
    return success({ tokens: loaded.value, known: 'loaded', asks, largest });
  return success(
    own === undefined
      ? { tokens: SMALLEST_WINDOW, known: 'assumed', asks, largest }
      : { tokens: own, known: 'parameter', asks, largest },
  );
}

/** Loads the model as a call does, and reads the allocated window. */
export async function loadModelWindow(
  ask: AskOllama,
  model: string,
  asking: OllamaQueryOptions,
  loadMs: number,
): Promise<Outcome<ModelWindow, AgentFailure>> {
  const before = await readWindow(ask, model, asking);
  // With its own num_ctx, a loaded model has the window of a call; otherwise another client may have chosen it.
  if (!before.ok || (before.value.known === 'loaded' && before.value.asks !== undefined)) return before;
  const why = explainOllamaFailure(await ask(['run', model, ...KEEP_ALIVE], { ...asking, hardMs: loadMs }), model);
  if (why) return failure(why);
  const loaded = await askAllocated(ask, model, asking);
  if (!loaded.ok) return loaded;
  return loaded.value === undefined ? before : success({ ...before.value, tokens: loaded.value, known: 'loaded' });
}

/** The allocated window of a loaded model; undefined when it is not loaded. */
async function askAllocated(
  ask: AskOllama,
  model: string,
  asking: OllamaQueryOptions,
): Promise<Outcome<number | undefined, AgentFailure>> {
  const running = await ask(['ps'], asking);
  const why = running.ended === 'aborted' ? explainOllamaFailure(running, model) : undefined;
  return why === undefined ? success(readAllocatedContext(running.stdout, model)) : failure(why);
}

/** A cut-off question met a server that stops or starts; any other failure needs a human. */
function kindOf({ exit, detail }: AgentFailure): AgentFailure['kind'] {
  if (exit === null) return 'crash';
  return /EOF|connection reset/i.test(detail) ? 'unavailable' : 'refused';
}
