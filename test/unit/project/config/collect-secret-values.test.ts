import { describe, expect, test } from 'vitest';
import { CONFIG, readSettings } from '../../../../src/project/config/read-settings.ts';
import { isSecretName, collectSecretValues } from '../../../../src/project/config/collect-secret-values.ts';

const valuesOf = (config: object, env: Record<string, string> = {}): readonly string[] => {
  const read = readSettings({ name: CONFIG, text: undefined }, { name: 'u', text: JSON.stringify(config) }, '/');
  if (!read.ok) throw new Error(read.why.join('\n'));
  return collectSecretValues(read.value, env);
};

describe('what counts as a secret', () => {
  test.each(['MY_KEY', 'apiKey', 'GITHUB_TOKEN', 'x-api-key', 'DB_PASSWORD', 'CLIENT_SECRET', 'Authorization'])(
    'is what %s names',
    (name) => expect(isSecretName(name)).toBe(true),
  );

  test.each(['KEY_FILE', 'key_env', 'MAX_TOKENS', 'AWS_ACCESS_KEY_ID', 'KEYBOARD', 'AUTHOR', 'MODEL', 'keyHeader'])(
    'is not what %s names',
    (name) => expect(isSecretName(name)).toBe(false),
  );

  test.each([
    'PWD',
    'OLDPWD',
    'PUBLIC_KEY',
    'publicKey',
    'NEXT_PUBLIC_MAPS_KEY',
    'PUBLIC_API_TOKEN',
    'PRIMARY_KEY',
    'SORT_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CREDENTIALS_DIRECTORY',
    'COOKIE_DOMAIN',
    'TOKEN_URL',
  ])('is not what %s names, which tells of no secret', (name) => expect(isSecretName(name)).toBe(false));

  test.each(['pwd', 'DB_PWD', 'GITHUB_PUBLIC_REPO_TOKEN', 'SLACK_WEBHOOK_URL', 'REPUBLIC_KEY'])(
    'is what %s names, although its name is like that of no secret',
    (name) => expect(isSecretName(name)).toBe(true),
  );

  test('is no folder in which the daemon was started, wherever the checkout is', () => {
    const env = { PWD: '/data/you/shop-backend', OLDPWD: '/srv0/aB3dE6gH9jK2mN5pQ8/shop', INIT_CWD: '/data/you/shop' };
    expect(valuesOf({}, env)).toEqual([]);
  });

  test.each([
    'created_at_timestamp',
    'userIdentifier',
    'UserProfile.byName',
    'cache-entries-of-users',
    'config/deploy.pem',
  ])('is no identifier such as %s behind the name of a key, but behind that of a password', (value) => {
    expect(valuesOf({}, { CACHE_KEY: value })).toEqual([]);
    expect(valuesOf({ agents: { claude: { env: { CACHE_KEY: value } } } })).toEqual([]);
    expect(valuesOf({}, { DB_PASSWORD: value })).toEqual([value]);
  });

  test('is a primary key that looks like chance, for some services name their keys so', () => {
    const value = 'Zk39sLqPx72mVbNw81TyAaQe/5oRuGhJi+==';
    expect(valuesOf({}, { COSMOS_PRIMARY_KEY: value, TABLE_PRIMARY_KEY: 'user_7_and_8' })).toEqual([value]);
    expect(valuesOf({}, { NEXT_PUBLIC_MAPS_KEY: value })).toEqual([]);
  });

  test('is no variable that an agent is passed by name', () => {
    const mine = { calls: { edit: { args: [] } }, pass: ['GOOGLE_CLOUD_PROJECT_7'], output: { format: 'text' } };
    expect(valuesOf({ agents: { mine } })).toEqual([]);
  });

  test('is in variables of agents, in variables that a key is read from, and in what signs a webhook', () => {
    const agents = {
      mine: {
        program: '/bin/true',
        calls: { edit: { args: ['--token', 'argument-Secret-1'] } },
        door: { to: 'https://models.example.org/v1', key_env: ['PLAIN_NAME'] },
        env: { MY_KEY: 'variable-Secret-2', MODEL_URL: 'http://localhost:1/v1', OTHER: 'aB3dE6gH9jK2mN5pQ8' },
        output: { format: 'text' },
      },
      claude: { env: { ANTHROPIC_AUTH_TOKEN: 'variable-Secret-3' } },
    };
    const notifications = {
      webhook: { url: 'https://hooks.example.org/services/T024BE7LDaabbCCdd/x', secret_env: 'SIGNS' },
      command: ['notify', '--password=command-Secret-4', 'Authorization: Bearer command-Secret-5'],
    };
    const env = {
      PLAIN_NAME: 'named-Secret-6',
      SIGNS: 'signing-Secret-7',
      GH_TOKEN: 'machine-Secret-8',
      HOME: '/home/you',
    };
    const values = valuesOf({ agents, notifications }, env);
    expect(
      [1, 2, 3, 4, 5, 6, 7, 8].filter((number) => !values.some((value) => value.endsWith(`-Secret-${number}`))),
    ).toEqual([]);
    expect(values).toContain('aB3dE6gH9jK2mN5pQ8');
    expect(values).toContain('T024BE7LDaabbCCdd');
    expect(values).not.toContain('http://localhost:1/v1');
    expect(values).not.toContain('/home/you');
    expect(valuesOf({ notifications: { webhook: { url: 'https://x.org/a', secret: 'webhook-Secret-9' } } })).toContain(
      'webhook-Secret-9',
    );
  });

  test('is a variable that a key is read from, whatever its name, also where the agent is given it', () => {
    const door = { to: 'https://models.example.org/v1', key_env: ['PLAIN'] };
    const mine = { calls: { edit: { args: [] } }, door, env: { PLAIN: 'of-the-Agent-10' }, output: { format: 'text' } };
    expect(valuesOf({ agents: { mine } })).toEqual(['of-the-Agent-10']);
  });

  test('is nothing of a document that is nested too deeply to be read', () => {
    const deep = `{"key":${'['.repeat(50_000)}"in-the-Depth-1"${']'.repeat(50_000)}}`;
    expect(valuesOf({}, { SERVICE_KEY: deep, OTHER_KEY: '{"key":[["not-so-Deep-2"]]}' })).toEqual(['not-so-Deep-2']);
  });

  test('is the password of an address, a string of a key in JSON, and a line of a key in PEM', () => {
    const env = {
      DATABASE_URL: 'postgres://user:pass%40word@db.example.org/x',
      SERVICE_KEY: JSON.stringify({
        type: 'service',
        private_key: 'a-Private-Key-1',
        url: 'https://example.org/long/path',
      }),
      TLS_KEY: `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----\n`,
    };
    expect(valuesOf({}, env)).toEqual(['pass%40word', 'pass@word', 'a-Private-Key-1', 'MIIEvQIBADANBgkqhkiG']);
  });
});
