import type { Inspection } from '../model/inspection.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openKept } from '../../project/workspace/open-reader.ts';
import type { AskInShape } from './ask-with-retry.ts';
import type { OpenModels } from './lane-tools.ts';
import { checkResponse, type ResponseTools } from './check-response.ts';
import { readProjectRulebook } from './rulebook/rulebook.ts';
import { verifyGrounding, verifyRelevance, type OpenTextModels } from './verify-answer.ts';
import type { PipelineSettings } from '../../project/config/pipeline-settings.ts';
import { auditCommand } from './audit-violations.ts';

interface ResponseRequest {
  readonly response: string;
  readonly query: string | undefined;
  readonly context: readonly string[];
  readonly session: Readonly<Record<string, unknown>>;
  readonly profile: Readonly<Record<string, unknown>>;
  /** Scenarios and steps that are in force. */
  readonly scopes: readonly string[];
  /** Opens the models that rules ask; undefined: none is asked. */
  readonly llm: OpenModels | undefined;
  /** Whether a failing response is regenerated or replaced by a fallback. */
  readonly remediate: boolean;
  readonly trace: boolean;
  /** Ends the questions of `llm`. */
  readonly signal?: AbortSignal;
}

/** Holds one response against the rules of a project, as `pipeline.enforcement` says, and writes down what is violated. */
export async function inspectResponse(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  request: ResponseRequest,
): Promise<Inspection> {
  const { root } = place.facts;
  const { pipeline: settings, enforcement } = place.settings;
  const rulebook = await readProjectRulebook(root);
  const now = new Date().toISOString();
  const { outcome, inspection } = await checkResponse(
    {
      ...request,
      rulebook,
      circumstances: {
        now,
        variables: { session: request.session, profile: request.profile },
        scopes: request.scopes,
        stack: rulebook.stack,
      },
      settings,
      mode: enforcement.mode,
      threshold: enforcement.scoreThreshold,
    },
    await toolsFor(place, env, request),
  );
  return {
    ...inspection,
    response: outcome,
    warnings: [...inspection.warnings, ...(await auditCommand(place, inspection))],
    trace: request.trace ? inspection.trace : [],
  };
}

async function toolsFor(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  { llm, remediate, signal }: ResponseRequest,
): Promise<ResponseTools> {
  const { pipeline } = place.settings;
  const local = textModelsOf(place);
  if (llm === undefined) return { usesFallbacks: remediate, ...answerChecks(pipeline, undefined, local) };
  const { extractBy, filterBy, judgeBy, rewriteBy } = await import('./lane-tools.ts');
  const asking = (await llm(place, env))(signal);
  const { llmJudgeModels: models } = pipeline;
  const judging = models.length === 0 ? asking : (await llm(place, env, models))(signal);
  return {
    judge: judgeBy(judging, openKept(place)),
    filter: filterBy(asking),
    extract: extractBy(asking),
    usesFallbacks: remediate,
    ...answerChecks(pipeline, asking.ask, local),
    ...(remediate ? { rewrite: rewriteBy(asking) } : {}),
  };
}

/** Small local models, loaded at the first use; undefined without a folder of models. */
function textModelsOf(place: Workspace): OpenTextModels | undefined {
  const { weights } = place.settings.llm;
  if (weights === undefined) return undefined;
  let opened: ReturnType<OpenTextModels> | undefined;
  return () => (opened ??= openWeights(place, weights));
}

async function openWeights(place: Workspace, weights: string): ReturnType<OpenTextModels> {
  const [{ openLocalWeights }, { explainTrackedCode: whyTracked }] = await Promise.all([
    import('../../agents/models/local-weights.ts'),
    import('./explain-tracked-code.ts'),
  ]);
  return openLocalWeights({
    weights,
    projectRoot: place.facts.root,
    whyNotLoaded: ({ folder }) => whyTracked(place, folder),
  });
}

/** Relevance and grounding by the strategies that are configured; what needs a model that is not there abstains, and says so. */
const answerChecks = (
  settings: PipelineSettings,
  ask: AskInShape | undefined,
  models?: OpenTextModels,
): Pick<ResponseTools, 'relevance' | 'grounding'> => ({
  relevance: (query, response) =>
    verifyRelevance(
      {
        query,
        response,
        strategy: settings.relevanceStrategy,
        threshold: settings.relevanceThreshold,
        refusalBypass: settings.relevanceRefusalBypass,
      },
      ask,
      models,
    ),
  grounding: (response, context) =>
    verifyGrounding(
      { response, context, strategy: settings.groundingStrategy, threshold: settings.groundingThreshold },
      ask,
      models,
    ),
});
