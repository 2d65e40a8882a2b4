import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/project/config/read-settings.ts';

const read = (yaml: string | undefined, toml?: string) =>
  readSettings(
    { name: 'config.yaml', text: yaml },
    { name: 'user.yaml', text: undefined },
    '/',
    { name: 'rulebound', text: undefined },
    { name: 'pipeline.toml', text: toml },
  );
const pipeline = (yaml: string | undefined, toml?: string) => {
  const settings = read(yaml, toml);
  if (!settings.ok) throw new Error(settings.why.join('\n'));
  return settings.value.pipeline;
};

const DEFAULTS = {
  enabled: true,
  maxRetries: 1,
  deterministicEnabled: true,
  llmJudgeEnabled: true,
  llmJudgeModels: [],
  alwaysEnforceGlobal: true,
  relevanceCheckEnabled: false,
  relevanceThreshold: 0.5,
  relevanceStrategy: 'embedding',
  relevanceRefusalBypass: true,
  groundingCheckEnabled: false,
  groundingThreshold: 0.75,
  groundingStrategy: 'llm_judge',
  toolCallCheckEnabled: false,
};

describe('pipeline.enforcement', () => {
  it('has the defaults of the seed', () => {
    expect(pipeline(undefined)).toEqual(DEFAULTS);
  });

  it('has those of production where that is the profile, and what is written over them', () => {
    expect(pipeline('pipeline: { profile: production, enforcement: { max_retries: 3 } }')).toEqual({
      ...DEFAULTS,
      maxRetries: 3,
      relevanceCheckEnabled: true,
      groundingCheckEnabled: true,
      groundingThreshold: 0.8,
    });
  });

  const EVERY = {
    enabled: false,
    max_retries: 2,
    deterministic_enabled: false,
    llm_judge_enabled: false,
    llm_judge_models: ['a', 'b'],
    always_enforce_global: false,
    relevance_check_enabled: true,
    relevance_threshold: 0.4,
    relevance_strategy: 'offline',
    relevance_refusal_bypass: false,
    grounding_check_enabled: true,
    grounding_threshold: 0.9,
    grounding_strategy: 'cross_encoder',
    tool_call_check_enabled: true,
  };

  it('reads every key, in TOML as in YAML', () => {
    const rows = Object.entries(EVERY).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    const inToml = pipeline(undefined, `[pipeline.enforcement]\n${rows.join('\n')}\n`);
    expect(inToml).toEqual(pipeline(JSON.stringify({ pipeline: { enforcement: EVERY } })));
    expect(Object.values(inToml)).toEqual(Object.values(EVERY));
  });

  it.each([
    ['max_retries: 4', 'pipeline.enforcement.max_retries'],
    ['max_retries: -1', 'pipeline.enforcement.max_retries'],
    ['grounding_threshold: 1.1', 'pipeline.enforcement.grounding_threshold'],
    ['relevance_strategy: magic', 'pipeline.enforcement.relevance_strategy'],
    ['max_retry: 1', 'did you mean max_retries?'],
  ])('refuses %s and says where', (written, said) => {
    const settings = read(`pipeline: { enforcement: { ${written} } }`);
    expect(settings.ok ? [] : settings.why).toEqual([expect.stringContaining(said)]);
  });

  it.each([
    ['[pipeline.enforcement]\nmax_retries = ', 'pipeline.toml:2: '],
    ['[enforcement]\nmode = "strict"', 'pipeline.toml: Unrecognized key: "enforcement"'],
  ])('refuses what is no such TOML: %j', (text, said) => {
    const settings = read(undefined, text);
    expect(settings.ok ? [] : settings.why).toEqual([expect.stringContaining(said)]);
  });

  it('stands in one file, not in two', () => {
    const settings = read('pipeline: {}', '[pipeline]\n');
    expect(settings.ok ? [] : settings.why).toEqual([
      'pipeline.toml: pipeline is also in config.yaml; keep one of the two',
    ]);
  });
});
