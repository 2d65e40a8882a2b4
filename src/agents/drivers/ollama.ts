import { OLLAMA } from '../../base/agent-ids.ts';
import { PROXY_VARIABLES } from '../../base/environment-variables.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { estimateTokens, computePromptRoom } from '../../base/estimate-tokens.ts';
import type { Agent, AgentCall, AgentFailure, CallOutcome, ModelWindow } from '../agent.ts';
import type { Ending } from '../../sandbox/processes/command.ts';
import { buildChildEnvironment } from '../../sandbox/processes/environment.ts';
import type { RunProgram } from '../../sandbox/processes/run.ts';
import { createFailure, failCall, followedCall, isUndecided, NO_USAGE, readIdentity } from './agent-program.ts';
import { followProgram, type ProgramOutput } from './follow-program.ts';
import { listModels, createOllamaModels, KEEP_ALIVE, LOAD_MS, loadModelWindow } from './ollama-models.ts';
import { isMoreThanSpinner, detectTruncation, readStatistics, readVersions, withoutSpinner } from './ollama-output.ts';
import {
  QUESTION_MS,
  createOllamaClient,
  resolveModel,
  createServerProbe,
  type OllamaQueryOptions,
  type OllamaProgram,
  explainOllamaFailure,
} from './ollama-program.ts';

/** Variables of your environment that it may see, in addition to those that every program may see. */
const SEES = ['OLLAMA_HOST', 'OLLAMA_MODELS', ...PROXY_VARIABLES];
const FIXED = { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost', TERM: 'dumb' };

/** Local models through the `ollama` command line; of your environment it sees little. */
export function createOllama(
  run: RunProgram,
  settings: OllamaProgram,
  env: Readonly<Record<string, string | undefined>>,
): Agent {
  const program = { ...settings, env: buildChildEnvironment(env, SEES, { ...FIXED, ...settings.env }) };
  const ask = createOllamaClient(run, program);
  const models = createOllamaModels(ask, program);
  /** The windows of recently verified models, so that the next call need not ask again. */
  const recent = new Map<string, { readonly window: ModelWindow; at: number }>();
  const verified = async (
    model: string,
    asking: OllamaQueryOptions,
    loadMs: number,
  ): ReturnType<typeof loadModelWindow> => {
    const known = recent.get(model);
    if (known !== undefined && performance.now() - known.at < BELIEVED_MS) return success(known.window);
    const window = await loadModelWindow(ask, model, asking, loadMs);
    if (window.ok && window.value.known === 'loaded')
      recent.set(model, { window: window.value, at: performance.now() });
    return window;
  };
  return {
    id: OLLAMA,
    capabilities: { billing: 'free', takesBudget: false, hasWindow: true },
    worksAt: ['implementer', 'local-reviewer'],
    localModels: models,
    models: () => listModels(ask),
    async windowOf(model, signal) {
      const window = await verified(resolveModel(program, model), { folder: '/', signal }, LOAD_MS);
      return window.ok ? window.value.tokens : undefined;
    },
    async run(call) {
      const model = resolveModel(program, call.model);
      // A load shows no progress except its spinner, so it may take the whole silence limit.
      const { folder, signal, idleMs, hardMs } = call;
      const question = { folder, signal, hardMs: Math.min(QUESTION_MS, hardMs) };
      const window = await verified(model, question, Math.min(idleMs, hardMs));
      if (!window.ok) return failure({ ...namedBy(call.model, model, window.why), ...NO_USAGE });
      const { tokens } = window.value;
      const estimate = estimateTokens(call.prompt);
      if (estimate > computePromptRoom(tokens))
        return failCall(
          'too-long',
          `the prompt (about ${estimate} tokens) does not fit the window of ${tokens} tokens that ollama allocates for ${model}; \`andon doctor --fix\` makes a model with a larger one`,
        );
      const output = followProgram({ format: 'text' }, call.show);
      const ending = await run({
        program: program.program,
        args: [...program.args, 'run', model, ...OPTIONS, ...formatOf(call)],
        cwd: folder,
        env: program.env,
        input: call.prompt,
        ...followedCall(call, output),
        alsoAlive: createServerProbe(ask, model, question, program.env['OLLAMA_HOST']),
        isLife: isMoreThanSpinner,
      });
      const read = readEnding(ending, output.story(), model, tokens);
      const known = recent.get(model);
      if (known !== undefined) known.at = performance.now(); // an answer came, so the model stays loaded
      if (!read.ok) recent.delete(model);
      return read;
    },
    async fit() {
      const ending = await ask(['--version'], { folder: '/', signal: new AbortController().signal });
      if (isUndecided('ollama', ending)) return success('of unknown version');
      return readIdentity({ name: 'ollama' }, ending, (line) => readVersions(line).client !== undefined);
    },
    async probe(model) {
      const program = await models.ready();
      if (!program.ok) return failure(`${program.why.why}; ${program.why.remedy}`);
      const found = await models.window(model, { load: false });
      return found.ok
        ? success(`ollama ${program.value}, model ${models.standingFor(model)} is there`)
        : failure(`${found.why.why}; ${found.why.remedy}`);
    },
  };
}

/**
 * A window is cached this long: a tenth of the keep-alive that every answer renews, so the model is still loaded. The
 * count of tokens after the answer catches a server that restarted in between.
 */
const BELIEVED_MS = 60_000;

/** Without --nowordwrap a pipe gets escapes and doubled fragments; with --format, thinking and grammar clash. */
const OPTIONS = ['--nowordwrap', '--hidethinking', '--think=false', '--verbose', ...KEEP_ALIVE];

/** A missing model that andon makes from another one is not to be pulled. */
const namedBy = (wanted: string, model: string, why: AgentFailure): AgentFailure =>
  wanted === model || why.kind !== 'refused' || !why.detail.includes('has no model')
    ? why
    : {
        ...why,
        detail: `ollama has no model ${model}, which your own configuration puts in the place of ${wanted}; \`andon doctor --fix\` makes it`,
      };

const formatOf = ({ schema }: AgentCall): readonly string[] =>
  schema === undefined ? [] : ['--format', JSON.stringify(schema)];

/** Exit 0 alone proves nothing: SIGINT and a missing sign-in also end with 0. */
function readEnding(whole: Ending, output: ProgramOutput, model: string, window: number): CallOutcome {
  const ending = { ...whole, stderr: withoutSpinner(whole.stderr) };
  const { promptTokens, answerTokens } = readStatistics(ending.stderr);
  const why = explainOllamaFailure(whole, model);
  const wasAsked = ending.ended !== 'missing' && (why?.kind !== 'unavailable' || output.answer !== '');
  const usage = wasAsked ? { tokensIn: promptTokens, tokensOut: answerTokens, usd: 0 } : NO_USAGE;
  if (why) return failure({ ...why, ...usage });
  const fail = (kind: AgentFailure['kind'], detail: string): Outcome<never, AgentFailure> =>
    failure({ ...createFailure(kind, detail, ending), ...usage });
  if (!ending.utf8 || output.unreadable !== undefined) return fail('unreadable', 'the answer is not valid UTF-8');
  const text = output.answer;
  if (text.trim() === '') return fail('empty', 'the model printed nothing');
  if (promptTokens === null && text.startsWith('You need to be signed in'))
    return fail('refused', `${model} is a cloud model and ollama is not signed in; run \`ollama signin\``);
  if (promptTokens === null) return fail('crash', 'ollama printed no statistics, so the answer may be cut off');
  if (detectTruncation(promptTokens, window))
    return fail('too-long', `ollama cut the prompt to ${promptTokens} tokens (window ${window})`);
  return success({ text, answeredBy: model, ...usage, ms: ending.ms, exit: ending.exit });
}
