import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { SERVICE_KEY, answerJson, modelService } from '../../support/model-service.ts';

const USAGE = { usage: { input_tokens: 100, output_tokens: 20 } };
const service = (plan: Parameters<typeof modelService>[1] = {}) =>
  modelService((outgoing) => answerJson(outgoing, USAGE), plan);

describe('the model proxy passes on', () => {
  test.each([
    ['POST', '/chat/completions', { messages: [] }],
    ['POST', '/v1/chat/completions', { messages: [] }],
    ['POST', '/responses', { input: 'a' }],
    ['POST', '/responses/compact', { input: [] }],
    ['POST', '/v1/messages', { messages: [] }],
    ['POST', '/v1/messages/count_tokens', { messages: [] }],
    ['POST', '/v1beta/models/m1:generateContent', { contents: [] }],
    ['POST', '/v1beta/models/m1:streamGenerateContent', { contents: [] }],
    ['POST', '/v1beta/models/m1:countTokens', { contents: [] }],
    ['GET', '/models', undefined],
    ['GET', '/v1/models/m1', undefined],
    ['GET', '/v1beta/models', undefined],
  ])('%s %s', async (method, path, body) => {
    const { ask, seen } = await service();
    expect((await ask(method, path, body)).status).toBe(200);
    expect(seen).toMatchObject([{ method, url: `/v1${path}` }]);
  });

  test('the keys that a protocol knows, and the pinned model whatever else was written', async () => {
    const { ask, seen } = await service();
    const more = { models: ['dear'], fallbacks: [{ model: 'dear' }], service_tier: 'priority', Model: 'dear' };
    const twice = `{"model":"m1","messages":[],"temperature":0,"model":"dear","extra":${JSON.stringify(more)}}`;
    await ask('POST', '/chat/completions', twice);
    await ask('POST', '/messages', { ...more, max_tokens: 5, speed: 'fast', messages: [] });
    await ask('POST', '/models/dear:generateContent', { ...more, model: 'models/dear', contents: [] });
    await ask('GET', '/models/dear');
    expect(seen.map(({ body }) => (body === '' ? '' : (JSON.parse(body) as unknown)))).toEqual([
      { model: 'm1', messages: [], temperature: 0 },
      { messages: [], max_tokens: 5, model: 'm1' },
      { contents: [] },
      '',
    ]);
    expect(JSON.stringify(seen)).not.toContain('dear');
  });

  test('a body with the key `constructor`, which is that of every object and leads nowhere', async () => {
    const { ask, seen } = await service();
    const { status } = await ask('POST', '/chat/completions', { messages: [], constructor: 'x' });
    expect(status).toBe(200);
    expect(JSON.parse(seen[0]?.body ?? '')).not.toHaveProperty(['constructor'], 'x');
  });

  test('of a query the keys that its path knows', async () => {
    const { ask, seen } = await service();
    await ask('POST', '/v1/messages?beta=true&model=dear&beta=false&key=andon-dummy', { messages: [] });
    await ask('POST', '/v1beta/models/m1:generateContent?alt=sse&access_token=a&$alt=b&alt=%2e%2f', { contents: [] });
    expect(seen.map(({ url }) => url)).toEqual([
      '/v1/v1/messages?beta=true',
      '/v1/v1beta/models/m1:generateContent?alt=sse',
    ]);
  });

  test('headers of the protocol, and none that chooses an account, a method or a path', async () => {
    const { ask, seen } = await service();
    await ask(
      'POST',
      '/chat/completions',
      { messages: [] },
      {
        'openai-organization': 'org-1',
        'openai-project': 'p',
        'x-http-method-override': 'DELETE',
        forwarded: 'for=1',
        'x-goog-user-project': 'p',
        'x-original-url': '/files',
        cookie: 'a=b',
        'x-api-key': 'andon-dummy',
        'anthropic-version': '2023-06-01',
        'x-stainless-lang': 'js',
        'content-type': 'text/plain',
      },
    );
    const { host: _, connection: __, ...headers } = seen[0]?.headers ?? {};
    expect(headers).toEqual({
      authorization: `Bearer ${SERVICE_KEY}`,
      'accept-encoding': 'identity',
      'anthropic-version': '2023-06-01',
      'content-length': String(seen[0]?.body.length),
      'content-type': 'application/json',
      'x-stainless-lang': 'js',
    });
  });

  test('of an answer the headers that say how it is written and when to come back', async () => {
    const said = {
      'set-cookie': 'a=b',
      location: '/x',
      'x-echo': 'y',
      'openai-organization': 'org-1',
      'x-ratelimit-limit-tokens': '5',
    };
    const { ask } = await modelService((outgoing) => answerJson(outgoing, USAGE, 200, { ...said, 'retry-after': '3' }));
    const { headers } = await ask('POST', '/chat/completions', {});
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '3',
      'x-ratelimit-limit-tokens': '5',
    });
    for (const name of ['set-cookie', 'location', 'x-echo', 'openai-organization'])
      expect(headers).not.toHaveProperty(name);
  });

  test('what programs really send: tools of their own, their results, pictures written out', async () => {
    const { ask, seen } = await service();
    const url = 'data:image/png;base64,AAAA';
    const asked: readonly (readonly [string, object])[] = [
      [
        '/responses',
        {
          tools: [
            { type: 'function', name: 'exec_command', parameters: { properties: { url: { type: 'string' } } } },
            { type: 'custom', name: 'apply_patch' },
            { type: 'namespace', name: 'agents', tools: [{ type: 'function', name: 'spawn' }] },
            { type: 'tool_search', execution: 'client' },
            { type: 'local_shell' },
          ],
          input: [
            {
              type: 'message',
              role: 'user',
              content: [
                { type: 'input_text', text: 'see https://a.example' },
                { type: 'input_image', image_url: url },
              ],
            },
            { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'b' },
            { type: 'function_call', name: 'fetch', call_id: '1', arguments: '{"url":"https://a.example"}' },
            { type: 'function_call_output', call_id: '1', output: 'https://a.example' },
            { type: 'local_shell_call', call_id: '2', action: { type: 'exec', command: ['ls'] } },
          ],
        },
      ],
      [
        '/v1/messages',
        {
          system: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
          tools: [
            { name: 'web_fetch', input_schema: { properties: { url: {} } } },
            { type: 'bash_20250124', name: 'bash' },
          ],
          messages: [
            {
              role: 'assistant',
              content: [
                {
                  type: 'tool_use',
                  id: '1',
                  name: 'web_fetch',
                  input: { type: 'url', url: 'https://a.example', file_id: '1' },
                },
              ],
            },
            {
              role: 'user',
              content: [
                {
                  type: 'tool_result',
                  tool_use_id: '1',
                  content: [{ type: 'image', source: { type: 'base64', data: 'AAAA' } }],
                },
              ],
            },
            { role: 'system', content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'Grep' } }] },
            {
              role: 'user',
              content: [{ type: 'document', source: { type: 'text', data: 'https://a.example is a page' } }],
            },
          ],
        },
      ],
      [
        '/chat/completions',
        {
          tools: [{ type: 'function', function: { name: 'bash' } }],
          messages: [
            { role: 'user', content: [{ type: 'image_url', image_url: { url } }] },
            {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: '1', type: 'function', function: { name: 'a', arguments: '{}' } }],
            },
            { role: 'tool', tool_call_id: '1', content: 'https://a.example' },
          ],
        },
      ],
      [
        '/v1beta/models/m1:generateContent',
        {
          tools: [{ functionDeclarations: [{ name: 'a' }] }],
          contents: [
            {
              role: 'model',
              parts: [{ functionCall: { name: 'a', args: { url: 'https://a.example' } }, thoughtSignature: 'x' }],
            },
            {
              role: 'user',
              parts: [
                { functionResponse: { name: 'a', response: { uri: 'https://a.example' } } },
                { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
              ],
            },
          ],
        },
      ],
    ];
    for (const [path, body] of asked) expect(await ask('POST', path, body)).toMatchObject({ status: 200 });
    expect(seen.map(({ body }) => JSON.parse(body) as object)).toMatchObject(asked.map(([, body]) => body));
  });
});

describe('the model proxy refuses', () => {
  test.each([
    ['DELETE', '/models/ft:gpt:acme::abc'],
    ['PATCH', '/models/m1'],
    ['TRACE', '/models'],
    ['GET', '/chat/completions'],
    ['DELETE', '/responses'],
    ['GET', '/responses/resp_1'],
    ['POST', '/threads/thread_1/messages'],
    ['GET', '/organization/admin_api_keys/messages'],
    ['GET', '/vector_stores/models'],
    ['POST', '/v1/messages/batches'],
    ['POST', '/v1beta/models/m1:batchGenerateContent'],
    ['POST', '/v1beta/cachedContents/models/m1:generateContent'],
    ['POST', '/v1beta/tunedModels/m1:generateContent'],
    ['GET', '/models/..'],
    ['POST', '/models'],
    ['POST', '/completions'],
    ['POST', '/api/chat'],
    ['DELETE', '/api/delete'],
    ['POST', '/chat/completions/'],
    ['POST', '/x/chat/completions'],
    ['POST', '/CHAT/completions'],
  ])('%s %s, in a sentence', async (method, path) => {
    const { ask, seen } = await service({ model: '' });
    const { status, text } = await ask(method, path, method === 'POST' ? { model: 'm1' } : undefined);
    expect([404, 405]).toContain(status);
    expect(method === 'TRACE' ? 'andon: ' : text).toContain('andon: ');
    expect(seen).toEqual([]);
  });

  const user = (path: string, ...content: readonly object[]): readonly [string, object] => [
    path,
    path === '/responses' ? { input: [{ role: 'user', content }] } : { messages: [{ role: 'user', content }] },
  ];
  const parts = (...all: readonly object[]): readonly [string, object] => [
    '/v1beta/models/m1:generateContent',
    { contents: [{ parts: all }] },
  ];
  const tools = (path: string, ...all: readonly object[]): readonly [string, object] => [path, { tools: all }];
  const SERVICE_TOOLS: readonly (readonly [string, object])[] = [
    tools('/responses', { type: 'function', name: 'a' }, { type: 'web_search' }),
    tools('/responses', { type: 'web_search_preview' }),
    tools('/responses', { type: 'mcp', server_url: 'https://a.example' }),
    tools('/responses', { type: 'code_interpreter', container: { type: 'auto' } }),
    tools('/responses', { type: 'file_search', vector_store_ids: ['v'] }),
    tools('/responses', { type: 'image_generation' }),
    tools('/responses', { type: 'computer_use_preview' }),
    tools('/responses', { type: 'shell', environment: { type: 'container_auto' } }),
    tools('/responses', { type: 'namespace', name: 'n', tools: [{ type: 'mcp' }] }),
    ['/responses', { input: [{ type: 'tool_search_output', tools: [{ type: 'mcp' }] }] }],
    ['/responses', { input: [{ type: 'mcp_approval_response', approve: true }] }],
    tools('/v1/messages', { type: 'web_search_20250305', name: 'web_search' }),
    tools('/v1/messages', { type: 'web_fetch_20250910', name: 'web_fetch' }),
    tools('/v1/messages', { type: 'code_execution_20250825', name: 'code_execution' }),
    tools('/v1/messages', { type: 'computer_20250124', name: 'computer' }),
    tools('/v1/messages', { type: 'mcp_toolset', mcp_server_name: 'a' }),
    tools('/v1/messages', { Type: 'web_search_20250305', name: 'web_search' }),
    ['/v1/messages', { mcp_servers: [{ type: 'url', url: 'https://a.example' }], messages: [] }],
    ['/v1/messages', { container: { skills: [] }, messages: [] }],
    [
      '/v1/messages',
      { messages: [{ role: 'system', content: [{ type: 'tool_addition', tool: { type: 'web_fetch_20250910' } }] }] },
    ],
    user('/v1/messages', { type: 'container_upload', file_id: 'f' }),
    ['/chat/completions', { web_search_options: {}, messages: [] }],
    ['/chat/completions', { plugins: [{ id: 'web' }], messages: [] }],
    ['/chat/completions', { search_parameters: { mode: 'on' }, messages: [] }],
    tools('/chat/completions', { type: 'web_search' }),
    tools('/v1beta/models/m1:generateContent', { googleSearch: {} }),
    tools('/v1beta/models/m1:generateContent', { functionDeclarations: [], url_context: {} }),
    tools('/v1beta/models/m1:generateContent', { codeExecution: {} }),
  ];
  const address = 'https://a.example/picture.png';
  const ADDRESSES: readonly (readonly [string, object])[] = [
    user('/chat/completions', { type: 'image_url', image_url: { url: address } }),
    user('/chat/completions', { type: 'image_url', image_url: address }),
    user('/chat/completions', { type: 'image_url', imageUrl: { URL: address } }),
    user('/chat/completions', { type: 'file', file: { file_id: 'file-1' } }),
    user('/chat/completions', { type: 'file', file: { file_data: address } }),
    user('/chat/completions', { type: 'input_audio', input_audio: { data: address } }),
    user('/responses', { type: 'input_image', image_url: address }),
    user('/responses', { type: 'input_image', file_id: 'file-1' }),
    user('/responses', { type: 'input_file', file_url: address }),
    ['/responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['/responses', { input: [{ id: 'msg_1' }] }],
    ['/responses', { input: [{ type: null, id: 'msg_1' }] }],
    [
      '/responses',
      {
        input: [
          { role: 'user', content: 'a' },
          { role: 'user', content: null, id: 'msg_1' },
        ],
      },
    ],
    ['/responses', { input: { id: 'msg_1' } }],
    [
      '/responses',
      {
        input: [{ type: 'function_call_output', call_id: '1', output: [{ type: 'input_image', image_url: address }] }],
      },
    ],
    ['/responses', { previous_response_id: 'resp_1', input: 'a' }],
    ['/responses', { conversation: 'conv_1', input: 'a' }],
    ['/responses', { prompt: { id: 'pmpt_1' } }],
    user('/v1/messages', { type: 'image', source: { type: 'url', url: address } }),
    user('/v1/messages', { type: 'document', source: { type: 'file', file_id: 'file_1' } }),
    user('/v1/messages', {
      type: 'tool_result',
      tool_use_id: '1',
      content: [{ type: 'image', source: { type: 'url', url: address } }],
    }),
    parts({ fileData: { fileUri: address } }),
    parts({ file_data: { file_uri: address } }),
    parts({ functionResponse: { name: 'a', response: {}, parts: [{ fileData: { fileUri: address } }] } }),
    ['/v1beta/models/m1:generateContent', { cachedContent: 'cachedContents/1', contents: [] }],
  ];
  test.each([
    ...SERVICE_TOOLS.map(
      (row) => [...row, /is run by the service|has the service do more|more than a model reads/] as const,
    ),
    ...ADDRESSES.map((row) => [...row, /is an address|has the service do more|more than a model reads/] as const),
  ])('a tool of the service, or an address: %s %j', async (path, body, why) => {
    const { ask, seen } = await service();
    const { status, text } = await ask('POST', path, body);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(why) });
    expect(seen).toEqual([]);
  });

  test('a key that is there twice but for its case, whatever the service would read', async () => {
    const { ask, seen } = await service();
    expect(
      (await ask('POST', ...user('/chat/completions', { type: 'text', Type: 'image_url', text: 'a' }))).status,
    ).toBe(400);
    expect((await ask('POST', ...tools('/responses', { type: 'function', Type: 'mcp' }))).status).toBe(400);
    expect(seen).toEqual([]);
  });

  test.each([
    ['no JSON', 'model=dear'],
    ['nothing', ''],
    ['a list', '[{"model":"dear"}]'],
    ['brackets without end', `{"messages":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
  ])('a body that is %s', async (_, body) => {
    const { ask, seen } = await service();
    expect((await ask('POST', '/chat/completions', body)).status).toBe(400);
    expect(seen).toEqual([]);
  });

  test('a body without a model where only a family of them is pinned, and where none is', async () => {
    const family = await service({ model: 'sonnet', pins: 'family' });
    expect((await family.ask('POST', '/messages', { messages: [] })).status).toBe(400);
    const free = await service({ model: '' });
    expect((await free.ask('POST', '/messages', { model: 7, messages: [] })).status).toBe(400);
  });

  test('an answer that is compressed although a plain one was asked for', async () => {
    const { ask, state } = await modelService((outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      outgoing.end(gzipSync(JSON.stringify(USAGE)));
    });
    const { status, text } = await ask('POST', '/chat/completions', {});
    expect([status, text]).toEqual([502, expect.stringContaining('written in gzip')]);
    expect(state.isAsking()).toBe(false);
  });

  test('a body of which it let a part go for want of room, also when there is room again', async () => {
    const { ask, begin, seen, state } = await modelService((outgoing) => answerJson(outgoing, USAGE), {}, {}, 1000);
    /** What was sent before has been read when an answer to what is sent after it has come. */
    const isRead = () => ask('GET', '/models');
    const large = begin('POST', '/chat/completions');
    const other = begin('POST', '/chat/completions');
    await large.write(`{"messages":["${'x'.repeat(800)}`);
    await isRead();
    await other.write(`{"messages":["${'y'.repeat(400)}"],`);
    await isRead();
    large.leave();
    await expect(large.answered).rejects.toThrow();
    await isRead();
    other.end('{"messages":[]}'); // by itself it is one
    expect((await other.answered).status).toBe(413);
    expect(seen.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(state.isAsking()).toBe(false);
    expect((await ask('POST', '/chat/completions', { messages: [] })).status).toBe(200);
  });

  test('and says so as the cause where the program gives up without a word', async () => {
    const { ask, state } = await service();
    await ask('POST', '/responses', { tools: [{ type: 'web_search' }] });
    expect(state.trouble()).toMatchObject({ kind: 'refused', detail: expect.stringContaining('the tool web_search') });
    expect(state.requests()).toBe(0);
  });
});
