import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { aClientOf } from '../support/mcp-client.ts';
import { THREE_RULES, forbids, ruleFile } from '../support/rule-files.ts';
import { judges } from '../support/scenario.ts';

const ruled = (rules = THREE_RULES): Promise<Factory> => aFactory({ files: { '.andon/rules/app.yaml': rules } });

const EVIL = { code: 'ok();\neval("1");\n', file: 'src/a.ts' };
const LADDER_OF_RULES = ruleFile(
  forbids('grave', 'GRAVE', { severity: 'CRITICAL' }),
  forbids('quick', 'QUICK', { severity: 'HIGH' }),
  forbids('noted', 'NOTED', { severity: 'MEDIUM', phase: ['IMPLEMENTATION', 'REVIEW'] }),
  forbids('hinted', 'HINTED', { severity: 'LOW', phase: ['ANALYSIS', 'IMPLEMENTATION'] }),
);

describe('andon mcp lists', () => {
  test('the rule engine as the protocol of 001 writes it, one tool per rule, and the state of the line', async () => {
    const { client } = await aClientOf(await ruled());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'rule_engine',
      'andon_status',
      'andon_task',
      'andon_halt',
      'andon_message',
      'rule_engine_dynamic-code',
      'rule_engine_open-ends',
      'rule_engine_short-cuts',
    ]);
    expect(tools[0]).toEqual({
      name: 'rule_engine',
      title: 'OpenCode Rule Engine',
      description: 'Unified rule governance for AI agent system',
      inputSchema: {
        type: 'object',
        properties: {
          action: {
            type: 'string',
            enum: ['register', 'execute', 'check_violation'],
            description: 'Rule engine action',
          },
          rule: { type: 'object', description: 'Rule definition (for registration)' },
          phase: {
            type: 'string',
            enum: ['ANALYSIS', 'TASKS', 'IMPLEMENTATION', 'REVIEW', 'TEST'],
            description: 'Execution phase',
          },
          context: { type: 'object', description: 'Execution context data' },
        },
        required: ['action'],
      },
    });
    expect(tools[5]).toMatchObject({
      inputSchema: { type: 'object', properties: { code: { type: 'string' }, file: { type: 'string' } } },
      annotations: { readOnlyHint: true, destructiveHint: false },
      _meta: { phase: 'IMPLEMENTATION', severity: 'HIGH', handler: 'QUICK_FIX' },
    });
    for (const { name } of tools) expect(name).toMatch(/^[A-Za-z0-9_-]{1,52}$/);
  });

  test(
    'every rule also to a client that names a phase with the question, as 001 does',
    { tags: 'thorough' },
    async () => {
      const { client } = await aClientOf(
        await ruled(ruleFile(forbids('one', 'ONE'), forbids('two', 'TWO', { phase: 'REVIEW' }))),
      );
      const { tools } = await client.request({ method: 'tools/list', params: { phase: 'REVIEW' } });
      const names = tools.map(({ name }) => name);
      expect(names).toContain('rule_engine_two');
      expect(names).toContain('rule_engine');
      expect(names).toContain('rule_engine_one');
    },
  );

  test('the rules of a phase by the engine itself, as skipped and not as passed', { tags: 'thorough' }, async () => {
    const client = await aClientOf(await ruled(LADDER_OF_RULES));
    const { facts, text } = await client.engine({ action: 'execute', phase: 'REVIEW' });
    expect(facts).toMatchObject({ status: 'SKIPPED', results: [], rules: [{ id: 'noted', handler: 'LOG_ONLY' }] });
    expect(text).toContain('SKIPPED');
  });
});

describe('andon mcp applies the rules', { tags: 'thorough' }, () => {
  test('and says what was found where, at once and in the answer, and writes it down', async () => {
    const factory = await ruled();
    const client = await aClientOf(factory);
    const told = { rule_id: 'dynamic-code', priority: 'P1', handler: 'QUICK_FIX' };
    const { facts, isError } = await client.engine({ action: 'execute', phase: 'IMPLEMENTATION', context: EVIL });
    expect(isError).toBe(false);
    expect(facts).toMatchObject({
      status: 'VIOLATED',
      violations: [
        { ...told, violation: { location: 'src/a.ts:2', message: 'eval must not be used', suggestion: null } },
      ],
    });
    expect(facts['results']).toContainEqual(expect.objectContaining({ rule_id: 'open-ends', status: 'PASS' }));
    expect(client.heard.map(({ method, params }) => ({ method, params }))).toEqual([
      { method: 'notifications/ops/priority', params: (facts['violations'] as readonly unknown[])[0] },
    ]);
    const [line = ''] = openAudit(factory);
    expect(JSON.parse(line)).toMatchObject({
      rule_id: 'dynamic-code',
      context: { file: 'src/a.ts', line: 2, surface: 'mcp' },
    });
  });

  test('and sends the standard message as well only to a client that asked for it', async () => {
    const client = await aClientOf(await ruled());
    await client.client.setLoggingLevel('warning');
    const messages: unknown[] = [];
    client.client.setNotificationHandler('notifications/message', ({ params }) => void messages.push(params));
    await client.engine({ action: 'execute', context: EVIL });
    expect(messages).toEqual([expect.objectContaining({ level: 'warning', logger: 'rule_engine' })]);
  });

  test('and asks for what the gravest violation asks for, by its phase', async () => {
    const client = await aClientOf(await ruled(LADDER_OF_RULES));
    for (const [code, phase, action, highest_priority] of [
      ['GRAVE QUICK NOTED', undefined, 'TERMINATE', 'P0'],
      ['QUICK HINTED', 'IMPLEMENTATION', 'QUICK_FIX', 'P1'],
      ['NOTED', 'REVIEW', 'LOG_ONLY', 'P2'],
      ['HINTED', 'ANALYSIS', 'SOFT_HOOK', 'P3'],
      // P2 acts in no implementation: it is written down, and that is all.
      ['NOTED', 'IMPLEMENTATION', 'LOG_ONLY', null],
      ['nothing of it', 'IMPLEMENTATION', 'PASS', null],
    ]) {
      const { facts, text } = await client.engine({
        action: 'check_violation',
        phase,
        context: { code, file: 'a.ts' },
      });
      const asked = `${code} in ${phase}`;
      expect({ asked, ...facts }).toMatchObject({ asked, action, highest_priority });
      expect([asked, text.split('\n')[0]]).toEqual([asked, action]);
    }
  });

  test('to a response, with what is known of the session and of whom it is for, under either name of the question', async () => {
    const limit = {
      id: 'LIMIT',
      severity: 'HIGH',
      is_hard_constraint: true,
      enforcement_expression: "amount <= 50 or user_tier == 'VIP'",
    };
    const polite = { id: 'POLITE', severity: 'HIGH', is_hard_constraint: true, action_text: 'be polite' };
    const client = await aClientOf(await ruled(ruleFile(limit)));
    const response = 'Your $75 refund is done.';
    for (const action of ['check_violation', 'determine_action'])
      for (const [known, expected] of [
        [{ vars: { user_tier: 'standard' } }, 'QUICK_FIX'],
        [{ vars: { user_tier: 'standard' }, profile: { tier: 'VIP' } }, 'PASS'],
      ] as const) {
        const { facts } = await client.engine({ action, context: { response, ...known } });
        expect({ action, known, facts }).toMatchObject({ facts: { action: expected } });
      }
    const judging = await aClientOf(await ruled(ruleFile(polite)));
    expect(await judging.engine({ action: 'determine_action', context: { response } })).toMatchObject({
      isError: true,
      facts: { action: null, unchecked: [{ rule_id: 'POLITE', status: 'UNDECIDED' }] },
    });
  });

  test('one by one, each under its own name', async () => {
    const client = await aClientOf(await ruled());
    expect((await client.call('rule_engine_dynamic-code', EVIL)).facts).toMatchObject({ status: 'VIOLATED' });
    expect((await client.call('rule_engine_open-ends', EVIL)).facts).toMatchObject({ status: 'PASS', violations: [] });
    expect((await client.call('rule_engine.open-ends', { ...EVIL, file: 'a.py' })).facts).toMatchObject({
      status: 'SKIPPED',
    });
    for (const name of ['rule_engine.nobody', 'nobody', 'rule_engine.'])
      expect(await client.call(name, EVIL)).toMatchObject({ isError: true });
    // Code of which nobody says the file is held against every rule: a name that is left out lets nothing pass.
    expect((await client.call('rule_engine_dynamic-code', { code: EVIL.code })).facts).toMatchObject({
      status: 'VIOLATED',
    });
    expect(await client.engine({ action: 'execute', context: { ...EVIL, rule_id: 'nobody' } })).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is no rule nobody') as string,
    });
  });

  test('to plans and diffs, of which nothing is read from the disk', async () => {
    const rules = ruleFile(
      forbids('dynamic-code', 'eval'),
      forbids('no-root', 'root', { match: { on: 'plan', pattern: 'as root' } }),
    );
    const client = await aClientOf(await ruled(rules));
    const plan = { plan: 'Run the service as root.' };
    expect((await client.engine({ action: 'check_violation', context: plan })).facts).toMatchObject({
      action: 'QUICK_FIX',
    });
    const diff = { diff: '--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-eval(gone)\n+eval(fresh)\n' };
    expect((await client.engine({ action: 'execute', context: diff })).facts).toMatchObject({
      violations: [{ violation: { location: 'src/x.ts:1' } }],
    });
    for (const context of [
      { file: 'README.md' },
      { code: 'x', file: '../../etc/passwd' },
      { code: 7 },
      { diff: 'no diff' },
      [],
    ])
      expect(await client.engine({ action: 'execute', context })).toMatchObject({ isError: true });
  });

  test('and never passes what it could not look at', async () => {
    const broken = await aClientOf(
      await ruled('rules:\n  - id: one\n    severity: HIGH\n    match: { pattern: "(" }\n'),
    );
    for (const given of [{ context: EVIL }, { context: EVIL, phase: 'REVIEW' }, {}])
      for (const action of ['execute', 'check_violation'])
        expect(await broken.engine({ action, ...given })).toMatchObject({ isError: true });
    expect(await broken.call('rule_engine.one', EVIL)).toMatchObject({ isError: true });
    const client = await aClientOf(await ruled());
    for (const given of [{ action: 'delete' }, {}, { action: 'check_violation' }, { action: 'execute', phase: 'SHIP' }])
      expect(await client.engine(given)).toMatchObject({ isError: true });
    expect((await client.engine({ action: 'delete' })).text).toContain('action');
    expect((await client.engine({ action: 'execute', phase: 'SHIP' })).text).toContain('phase');
  });

  test('as they are now, not as they were when it was started', async () => {
    const factory = await ruled();
    const client = await aClientOf(factory);
    const context = { code: 'FRESH', file: 'a.ts' };
    expect((await client.engine({ action: 'check_violation', context })).facts).toMatchObject({ action: 'PASS' });
    factory.write('.andon/rules/fresh.yaml', ruleFile(forbids('fresh', 'FRESH')));
    expect((await client.engine({ action: 'check_violation', context })).facts).toMatchObject({ action: 'QUICK_FIX' });
  });
});

describe('andon mcp registers rules', { tags: 'thorough' }, () => {
  const RULE = {
    id: 'JCODE-001',
    version: '1.0.0',
    severity: 'HIGH',
    phase: 'IMPLEMENTATION',
    match: { pattern: 'usreName' },
    message: 'a typo',
  };

  test('not at all, unless a human started it so', async () => {
    const client = await aClientOf(await ruled());
    const answer = await client.engine({ action: 'register', rule: RULE });
    expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('--allow-register') as string });
  });

  test.each(['legacy', 'auto'] as const)('for the session alone, and applies them (%s)', async (era) => {
    const factory = await ruled();
    const client = await aClientOf(factory, ['--allow-register'], era);
    expect((await client.engine({ action: 'register', rule: RULE })).facts).toMatchObject({ outcome: 'added' });
    expect((await client.engine({ action: 'register', rule: RULE })).facts).toMatchObject({ outcome: 'same' });
    const context = { code: 'usreName', file: 'a.ts' };
    expect((await client.call('rule_engine.JCODE-001', context)).facts).toMatchObject({ status: 'VIOLATED' });
    expect((await client.call('rule_engine:JCODE-001', context)).facts).toMatchObject({ status: 'VIOLATED' });
    expect(readdirSync(join(factory.repo, '.andon/rules'))).toEqual(['app.yaml']);
    const next = await aClientOf(factory, ['--allow-register']);
    expect(await next.call('rule_engine.JCODE-001', context)).toMatchObject({ isError: true });
  });

  test('but never what is not one good rule of its own', async () => {
    const client = await aClientOf(await ruled(), ['--allow-register']);
    await client.engine({ action: 'register', rule: RULE });
    for (const [what, rule, why] of [
      ['a pattern that is none', { ...RULE, match: { pattern: '(' } }, /line 8: .*pattern/],
      ['YAML that is none', 'id: x\nmatch: [\n', /line 3/],
      ['a hard constraint', { ...RULE, severity: 'CRITICAL', is_hard_constraint: true }, /hard/],
      ['a command', { ...RULE, checks: [{ type: 'command', run: 'true' }] }, /command/],
      ['more than 64 kB', { ...RULE, content: 'x'.repeat(70_000) }, /64 kB/],
      ['a rule of the project', { ...RULE, id: 'dynamic-code' }, /rule of the project/],
      ['other content under the same version', { ...RULE, message: 'another' }, /same version/],
      [
        'several rules',
        `rules:\n  - ${JSON.stringify(RULE)}\n  - ${JSON.stringify({ ...RULE, id: 'B' })}\n`,
        /exactly one/,
      ],
      ['a pack', 'extends: [secrets]\n', /only a rule/],
      ['one whose own example fails', { ...RULE, tests: { violates: ['nothing'] } }, /own example/],
      ['nothing', undefined, /rule is missing/],
    ] as const) {
      const { isError, text } = await client.engine({ action: 'register', rule });
      expect({ what, isError, text }).toEqual({ what, isError: true, text: expect.stringMatching(why) as string });
      expect((await client.client.listTools()).tools).toHaveLength(9);
    }
  });

  test('up to a number of them', async () => {
    const client = await aClientOf(await ruled(), ['--allow-register']);
    for (let at = 0; at < 100; at += 1) await client.engine({ action: 'register', rule: { ...RULE, id: `R-${at}` } });
    expect(await client.engine({ action: 'register', rule: RULE })).toMatchObject({ isError: true });
  });
});

describe('andon mcp shows the line', { tags: 'thorough' }, () => {
  test('its state, its tasks and the halt, in words that cannot move a cursor', async () => {
    const factory = await aFactory({
      scenario: { judge: [judges('CRITICAL_HALT', { summary: 'It drops \u001b[31mdata\u202e.' })] },
    });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    const client = await aClientOf(factory);
    expect((await client.call('andon_status')).facts).toMatchObject({
      task: { task_id: 'DOC-001', status: 'erik_consultation' },
    });
    expect((await client.call('andon_task', { task_id: 'DOC-001' })).facts).toMatchObject({ task_id: 'DOC-001' });
    expect((await client.call('andon_task')).facts).toMatchObject({ tasks: [{ task_id: 'DOC-001' }] });
    expect(await client.call('andon_task', { task_id: 'NO' })).toMatchObject({ isError: true });
    expect(await client.call('andon_task', { task: 'DOC-001' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('task_id') as string,
    });
    expect(await client.call('andon_message', { text: 'Perfect! Excellent!' })).toMatchObject({
      isError: false,
      facts: { passed: false, stage: 'ResponseValidator' },
    });
    for (const text of [1, ' \n'])
      expect(await client.call('andon_message', { text })).toMatchObject({ isError: true });
    expect(await client.call('andon_halt', { task_id: 'NO' })).toMatchObject({ isError: true });
    const halt = await client.call('andon_halt');
    expect(halt.facts).toMatchObject({ task_id: 'DOC-001', halt: { paths: expect.any(Array) as unknown[] } });
    // eslint-disable-next-line no-control-regex
    expect(JSON.stringify(halt.facts) + halt.text).not.toMatch(/[\u001b\u202e]|\\u001b/);
    await dog.stop();
  });

  test('what was recorded, as resources', async () => {
    const client = await aClientOf(await ruled());
    await client.engine({ action: 'execute', context: EVIL });
    const { resources } = await client.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['andon://audit/rule_violations', 'andon://audit/statistics']);
    const [content] = (await client.client.readResource({ uri: 'andon://audit/rule_violations' })).contents;
    expect(content).toMatchObject({ text: expect.stringContaining('dynamic-code') as string });
    const [sums] = (await client.client.readResource({ uri: 'andon://audit/statistics' })).contents;
    expect(JSON.parse(sums !== undefined && 'text' in sums ? sums.text : '')).toMatchObject({
      rules: [{ rule: 'dynamic-code', violations: 1 }],
    });
    await expect(client.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow('Unknown resource');
  });
});

describe('andon mcp speaks', () => {
  test('the protocol of 2025 line by line, and nothing else on standard output', { tags: 'thorough' }, async () => {
    const factory = await ruled();
    const child = spawn(process.execPath, [inject('andon'), 'mcp'], { cwd: factory.repo, env: factory.env });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'raw', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    await eventually(() => said.includes('\n'), 'it answers');
    send({ method: 'notifications/initialized' });
    const given = { action: 'check_violation', context: EVIL };
    send({ id: 2, method: 'tools/call', params: { name: 'rule_engine', arguments: given } });
    await eventually(() => said.includes('"id":2'), 'it answers the call');
    child.stdin.end();
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    const messages = said
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(messages).toMatchObject([
      { id: 1, result: { protocolVersion: '2025-06-18', serverInfo: { name: 'andon' } } },
      {
        method: 'notifications/ops/priority',
        params: { rule_id: 'dynamic-code', priority: 'P1', handler: 'QUICK_FIX' },
      },
      { id: 2, result: { structuredContent: { action: 'QUICK_FIX' } } },
    ]);
  });

  test('the protocol of 2026 as well', { tags: 'thorough' }, async () => {
    const client = await aClientOf(await ruled(), [], 'auto');
    expect((await client.engine({ action: 'check_violation', context: EVIL })).facts).toMatchObject({
      action: 'QUICK_FIX',
    });
    expect(client.heard.map(({ method }) => method)).toContain('notifications/ops/priority');
  });

  test('no more when it was stopped before it was done', { tags: 'thorough' }, async () => {
    const { client } = await aClientOf(await ruled());
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'rule_engine', arguments: { action: 'execute', context: EVIL } },
      { signal: stop.signal },
    );
    stop.abort();
    await expect(call).rejects.toThrow();
    expect((await client.listTools()).tools.length).toBeGreaterThan(3); // it is still there for the next question
  });

  test('to nobody outside a repository, in one sentence', async () => {
    const factory = await aFactory();
    expect(await factory.andonIn(factory.folder, 'mcp')).toMatchObject({ code: 2, stdout: '' });
    expect(await factory.andon('mcp', '--port', '80')).toMatchObject({ code: 2, stdout: '' });
  });

  test('until its client leaves', { tags: 'thorough' }, async () => {
    const factory = await ruled();
    const { client } = await aClientOf(factory);
    expect(factory.processes().some(({ command }) => command.includes(' mcp'))).toBe(true);
    await client.close();
    await eventually(() => factory.processes().every(({ command }) => !command.includes(' mcp')), 'it has ended');
  });
});

function openAudit(factory: Factory): readonly string[] {
  const repositories = join(factory.folder, 'state/andon/repositories');
  for (const name of existsSync(repositories) ? readdirSync(repositories) : []) {
    const file = join(repositories, name, 'audit/rule_violations.jsonl');
    if (existsSync(file)) return readFileSync(file, 'utf8').trimEnd().split('\n');
  }
  return [];
}
