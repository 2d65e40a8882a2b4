import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { LLM_PROVIDERS, withProvider } from '../config/llm-settings.ts';
import type { LlmSettings } from '../config/llm-settings.ts';
import { RULE_OPINION_JSON_SCHEMA } from '../rule-model/rule-opinion.ts';
import type { AskModel } from '../rules/checks/check.ts';
import { matchFromOpinion, undecided } from '../rules/matchers/llm.ts';
import { masked } from '../rules/secrets/mask.ts';
import { inOneTerminalLine } from '../base/plain-text.ts';
import { Problem } from '../base/problem.ts';
import { isInside } from './rulebook/is-inside.ts';
import { openVercelModel } from '../wiring/open-model.ts';
import { openForReading } from '../wiring/open-reader.ts';
import type { Place } from '../wiring/open-place.ts';
import type { LanguageModel } from '../ports/language-model.ts';
import { politely } from './ask-politely.ts';
import type { Asking } from './lane-tools.ts';
import { purseOf } from './purse.ts';
import { ruleQuestion } from './rule-question.ts';

/** Opens the language model that `--llm` asks, or says what is missing; nothing is asked before the first rule is. */
export async function openAsk(place: Place, env: NodeJS.ProcessEnv): Promise<AskModel> {
  const { name, ask } = await openAsking(place, env);
  return async (rule, text, signal) => {
    const nonce = randomBytes(8).toString('hex');
    const answer = await ask(
      // What could be a secret stays here, whoever is asked.
      { ...ruleQuestion(rule, masked(text), nonce), schema: RULE_OPINION_JSON_SCHEMA, maxAnswerTokens: ANSWER_TOKENS },
      signal,
    );
    return answer.ok ? matchFromOpinion(answer.value.value) : undecided(`${name}: ${answer.why}`);
  };
}

/** Opens the model, or of several that the settings' provider has each for when the one before it gives no answer; all share one budget. */
export async function openAsking(
  place: Place,
  env: NodeJS.ProcessEnv,
  models: readonly string[] = [],
): Promise<Asking> {
  // Somebody who wrote a server into the project must not find out afterwards that another one was asked.
  const ignored = place.settings.notices.find((notice) => notice.includes('`llm.'));
  if (ignored !== undefined)
    throw new Problem('bad-configuration', ignored, 'take it out of the project, and try again');
  const settings = settingsFor(place.settings.llm, env);
  const opened: LanguageModel[] = [];
  for (const model of models.length === 0 ? [settings.model] : modelsOf(settings, models)) {
    const made = await openVercelModel(
      { ...settings, model },
      {
        env,
        projectRoot: place.facts.root,
        whyNotLoaded: ({ folder }) => whyTracked(place, folder),
      },
    );
    if (!made.ok) throw new Problem('bad-argument', made.why.sentence, made.why.remedy);
    opened.push(made.value);
  }
  return { name: opened.map(({ name }) => name).join(', '), ask: politely(opened, settings, purseOf(place, settings)) };
}

/** The models of a list as the provider calls them; what goes to another provider than the one that was chosen is refused. */
function modelsOf({ provider }: LlmSettings, models: readonly string[]): readonly string[] {
  return models.map((written) => {
    const [first = '', ...rest] = written.split('/');
    if (rest.length === 0 || !(LLM_PROVIDERS as readonly string[]).includes(first)) return written;
    if (first === provider) return rest.join('/');
    throw new Problem(
      'bad-configuration',
      `pipeline.enforcement.llm_judge_models names ${inOneTerminalLine(written, 80)}, and --llm asks ${provider}`,
      `name models of ${provider}, or choose ${first} as llm.provider in your own configuration`,
    );
  });
}

/** Room for a status and a sentence, also for a model that thinks before it answers. */
const ANSWER_TOKENS = 1000;

/** Code that the repository itself carries is never run by andon, also not as a package. */
export async function whyTracked(place: Place, folder: string): Promise<string | undefined> {
  const { root } = place.facts;
  const real = realpathSync(folder);
  if (!isInside(real, root)) return undefined;
  const repository = await openForReading(place);
  const commit = await repository.resolve((await repository.checkedOut()) ?? 'HEAD').catch(() => undefined);
  const files = commit === undefined ? [] : await repository.files(commit);
  const below = `${relative(root, real).split(sep).join('/')}/`;
  if (!files.some(({ path }) => path.startsWith(below))) return undefined;
  return `${below} is part of this repository, and code of a repository is not run by andon`;
}

/** The environment names a provider over every file; the first of the two names wins. */
function settingsFor(settings: LlmSettings, env: NodeJS.ProcessEnv): LlmSettings {
  const name = ['ANDON_LLM_PROVIDER', 'RULEBOUND_LLM_PROVIDER'].find((one) => (env[one] ?? '') !== '');
  if (name === undefined) return settings;
  const provider = LLM_PROVIDERS.find((one) => one === env[name]);
  if (provider === undefined)
    throw new Problem(
      'bad-argument',
      `${name} names a provider that is not known`,
      `one of: ${LLM_PROVIDERS.join(', ')}`,
    );
  return withProvider(settings, provider);
}
