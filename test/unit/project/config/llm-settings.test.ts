import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/project/config/read-settings.ts';
import { withProvider, type LlmSettings } from '../../../../src/project/config/llm-settings.ts';
import { stringify } from 'yaml';

const files = ({ project, user, rulebound }: { project?: object; user?: object; rulebound?: object }) =>
  readSettings(
    { name: 'project', text: project && stringify(project) },
    { name: 'user', text: user && stringify(user) },
    '/here',
    { name: 'rulebound', text: rulebound && JSON.stringify(rulebound) },
  );

function settled(given: Parameters<typeof files>[0]): LlmSettings {
  const read = files(given);
  if (!read.ok) throw new Error(read.why.join('\n'));
  return read.value.llm;
}

describe('whom --llm asks', () => {
  it('is anthropic with a small model, when nobody says anything', () => {
    expect(settled({})).toMatchObject({
      provider: 'anthropic',
      model: 'claude-haiku-4-5',
      baseUrl: undefined,
      concurrency: 4,
      maxTokens: 200_000,
      timeoutMs: 60_000,
    });
  });

  it('is whom the user names, before the project, before the other tool', () => {
    const rulebound = { llm: { provider: 'openai', model: 'r' } };
    expect(settled({ rulebound })).toMatchObject({ provider: 'openai', model: 'r' });
    const project = { llm: { provider: 'anthropic', model: 'p' } };
    expect(settled({ rulebound, project })).toMatchObject({ provider: 'anthropic', model: 'p' });
    const user = { llm: { provider: 'ollama' } };
    expect(settled({ rulebound, project, user })).toMatchObject({ provider: 'ollama', model: 'qwen2.5-coder' });
    const here = { projects: { '/here': { llm: { provider: 'ollama', model: 'h' } } } };
    expect(settled({ rulebound, project, user: here })).toMatchObject({ provider: 'ollama', model: 'h' });
  });

  it('spends no more than the lower of two limits', () => {
    const project = { llm: { max_tokens: 900, concurrency: 9 } };
    const user = { llm: { max_tokens: 1000, concurrency: 2 } };
    expect(settled({ project, user })).toMatchObject({ maxTokens: 900, concurrency: 2 });
  });

  it('is told of keys that a repository may not set, and goes on without them', () => {
    const read = files({ project: { llm: { provider: 'openai', base_url: 'http://evil.example', key_env: 'HOME' } } });
    expect(read).toMatchObject({
      ok: true,
      value: { llm: { provider: 'openai', baseUrl: undefined, keyEnv: undefined } },
    });
    expect(read.ok ? read.value.notices : []).toHaveLength(2);
  });

  it('gets the key and the server of the user only as the provider that the user meant, and prices only for that model', () => {
    const usd_per_million = { input: 1, output: 5 };
    const user = { llm: { key_env: 'MY_KEY', base_url: 'http://127.0.0.1:1', usd_per_million } };
    const own = { keyEnv: 'MY_KEY', baseUrl: 'http://127.0.0.1:1', usdPerMillion: usd_per_million };
    const none = { keyEnv: undefined, baseUrl: undefined, usdPerMillion: undefined };
    expect(settled({ user })).toMatchObject(own);
    expect(settled({ user, project: { llm: { provider: 'openai' } } })).toMatchObject(none);
    expect(settled({ user, project: { llm: { model: 'larger' } } })).toMatchObject({
      ...own,
      usdPerMillion: undefined,
    });
    expect(withProvider(settled({ user }), 'ollama')).toMatchObject(none);
  });

  it.each([
    ['a provider that is none', { llm: { provider: 'acme' } }],
    ['an address that is no web address', { llm: { base_url: 'file:///etc/passwd' } }],
    ['a key in place of the name of its variable', { llm: { key_env: 'sk-1234' } }],
    [
      'both an agent and a provider in a project',
      { projects: { '/here': { llm: { agent: 'claude', provider: 'ollama' } } } },
    ],
  ])('refuses %s', (_, user) => expect(files({ user })).toMatchObject({ ok: false }));

  it('is another one where the environment says so; then nothing stands that belonged to the first', () => {
    const user = {
      llm: { provider: 'openai-compatible', model: 'm', base_url: 'http://127.0.0.1:1/v1', key_env: 'K' },
    };
    const settings = settled({ user });
    expect(withProvider(settings, 'openai-compatible')).toBe(settings);
    expect(withProvider(settings, 'openai')).toMatchObject({
      provider: 'openai',
      model: 'gpt-4.1-mini',
      baseUrl: undefined,
      keyEnv: undefined,
    });
  });
});
