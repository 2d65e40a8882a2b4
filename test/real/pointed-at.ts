import type { WrittenDriver } from '../../src/project/config/driver-schema.ts';
import type { Driven } from '../support/drivers.ts';

const KEY = 'dummy-key-of-no-account';

/** What a user would write to have a program ask the server at `url`, in a home of its own. */
export const pointedAt = (url: string): Readonly<Record<Driven, WrittenDriver>> => ({
  codex: {
    home: 'fresh',
    env: { LOOP_KEY: KEY, CODEX_API_KEY: KEY },
    home_files: {
      '.codex/config.toml': [
        'model_provider = "loop"',
        '[model_providers.loop]',
        'name = "loop"',
        `base_url = "${url}/v1"`,
        'env_key = "LOOP_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 1',
        'stream_max_retries = 1',
      ].join('\n'),
    },
  },
  gemini: { env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url } },
  qwen: { env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1` } },
  opencode: {
    home: 'fresh',
    home_files: { '.npmrc': 'fetch-retries=0\n' },
    model: 'loop/m1',
    env: {
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        permission: { edit: 'deny', bash: 'deny', webfetch: 'deny' },
        provider: {
          loop: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: KEY },
            models: { m1: { name: 'm1' } },
          },
        },
      }),
    },
  },
  copilot: {
    home: 'fresh',
    env: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'm1',
      COPILOT_OFFLINE: 'true',
    },
  },
});
