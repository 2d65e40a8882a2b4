import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentCall } from '../../../src/agents/agent.ts';
import { aFolder, aRunner, isAlive, until } from '../sandbox/processes/a-runner.ts';
import { STAND_INS, aWorld } from '../stand-ins/stand-in.ts';
import { openClaude } from '../../support/drivers.ts';
import { hostFor } from '../../support/stand-in-host.ts';

const NOW = { at: new Date('2026-10-05T10:00:00.000Z'), zone: 'UTC' };
const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
const SCHEMA = { type: 'object' };
const PASS = { verdict: 'PASS' };

/** A claude that plays these calls; or another program in its place. */
async function aClaude(calls: readonly object[], program = join(STAND_INS, 'claude'), path = PATH) {
  const services = await aWorld({ claude: calls });
  hostFor(services.scenario);
  mkdirSync(services.path('work'));
  const agent = openClaude(
    aRunner().run,
    { program, env: { PATH: path, ANDON_SCENARIO: services.scenario } },
    () => NOW,
  );
  const run = (changes: Partial<AgentCall> = {}) =>
    agent.run({
      prompt: 'Judge it.',
      schema: SCHEMA,
      model: 'sonnet',
      folder: services.path('work'),
      idleMs: 30_000,
      hardMs: 40_000,
      signal: new AbortController().signal,
      ...changes,
    });
  return { services, agent, run };
}

/** An executable file with this text. */
function aProgram(text: string, mode = 0o755): string {
  const file = join(aFolder(), 'claude');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('claude is told', () => {
  it('its limits: turns, dollars, retries and the patience with the service', async () => {
    const { services, run } = await aClaude([{ structured: PASS }]);
    await run({ maxUsd: 0.25 });
    const [asked] = services.log();
    const argv = asked?.['argv'] as string[];
    const given = (option: string): string | undefined => argv[argv.indexOf(option) + 1];
    expect(given('--max-budget-usd')).toBe('0.2500');
    expect(given('--max-turns')).toBe('60');
    expect(given('--output-format')).toBe('stream-json');
    expect(given('--tools')).toBe('Read,Glob,Grep');
    expect(given('--json-schema')).toBe(JSON.stringify(SCHEMA));
    expect(argv).toEqual(expect.arrayContaining(['--verbose', '--restricted', '--strict-mcp-config']));
    expect(asked?.['env']).toEqual(expect.arrayContaining(['CLAUDE_CODE_MAX_RETRIES', 'API_TIMEOUT_MS']));
  });

  it('no cap in dollars where there is none', async () => {
    const { services, run } = await aClaude([{ structured: PASS }]);
    await run();
    expect(services.log()[0]?.['argv']).not.toContain('--max-budget-usd');
  });
});

describe('an answer of claude', () => {
  it('says who answered, which tools worked and what was denied', async () => {
    const does = [{ 'tool-uses': 3 }, { 'failed-tool-uses': 2 }, { 'denied-write': 'tree/a.md' }, 'limit-warning'];
    const { services, run } = await aClaude([{ structured: PASS, does }]);
    expect(await run()).toMatchObject({
      ok: true,
      value: {
        structured: PASS,
        answeredBy: 'claude-sonnet-5-5',
        opened: [services.path('work/change.diff')],
        denials: [`Write ${services.path('work/tree/a.md')}`],
      },
    });
  });

  it('is one after retries that came to an end', async () => {
    const { run } = await aClaude([{ structured: PASS, does: [{ retry: { times: 5, delay_ms: 50 } }] }]);
    expect((await run({ idleMs: 3000 })).ok).toBe(true);
  });
});

describe('claude that is of no use now', () => {
  it('names the time at which its limit ends: from the event, or from the words', async () => {
    const resets_at = Date.parse('2026-10-05T13:00:00Z') / 1000;
    const event = await aClaude([{ does: [{ 'usage-limit': { text: 'resets 3am (UTC)', resets_at } }] }]);
    expect(await event.run()).toMatchObject({ why: { kind: 'unavailable', until: '2026-10-05T13:00:00.000Z' } });
    const words = await aClaude([{ does: [{ 'usage-limit': 'resets Oct 7, 3pm (Europe/Berlin)' }] }]);
    expect(await words.run()).toMatchObject({ why: { kind: 'unavailable', until: '2026-10-07T13:00:00.000Z' } });
  });

  it('is unavailable, not silent, when it did nothing but ask the service again', async () => {
    const { run } = await aClaude([{ does: [{ retry: { times: 100, status: 529, delay_ms: 100 } }] }]);
    expect(await run({ idleMs: 900 })).toMatchObject({
      why: { kind: 'unavailable', detail: expect.stringContaining('529') as unknown },
    });
  });
});

describe('claude that does not end well', () => {
  it.each([
    ['is killed', [{ signal: 'SIGKILL' }], 'crash', /SIGKILL/],
    ['prints 100 MB in one line', [{ megabytes: 100 }], 'unreadable', /more than andon reads/],
  ] as [string, unknown[], string, RegExp][])('%s', { tags: 'thorough' }, async (_, does, kind, words) => {
    const { run } = await aClaude([{ structured: PASS, does }]);
    expect(await run()).toMatchObject({ why: { kind, detail: expect.stringMatching(words) as unknown } });
  });

  it('says what it has used when andon ends it', async () => {
    const { run } = await aClaude([{ reply: 'x'.repeat(4000), chunk: 1, every_ms: 50, usage: { in: 100, out: 10 } }]);
    const end = await run({ hardMs: 1500 });
    expect(end).toMatchObject({ ok: false, why: { kind: 'stall', tokensIn: 100, exit: 0 } });
  });

  it('is killed when it is deaf to both, with all that it started', async () => {
    const { services, run } = await aClaude([{ does: ['silent', 'ignore-int', 'ignore-term', { grandchild: 300 }] }]);
    const end = await run({ hardMs: 1500 });
    expect(end).toMatchObject({ ok: false, why: { kind: 'stall', exit: null } });
    const pids = [...services.grandchildren(), ...services.log().map(({ pid }) => Number(pid))];
    expect(pids).toHaveLength(2);
    expect(await until(() => pids.every((pid) => !isAlive(pid)))).toBe(true);
  });
});

const VERSION = 'if [ "$1" = --version ]; then echo "2.0.1 (Claude Code)"; exit 0; fi\n';

describe('a claude that cannot be used', () => {
  it('because it is too old says which option it lacks, and how to update', async () => {
    const old = aProgram(`#!/bin/sh\n${VERSION}echo "error: unknown option '--restricted'" >&2\nexit 1\n`);
    const { agent, run } = await aClaude([], old);
    const words = /lacks an option.*claude update/;
    expect(await run()).toMatchObject({ why: { kind: 'refused', detail: expect.stringMatching(words) as unknown } });
    const why = expect.stringMatching(/does not know --\S+.*npm install -g/) as unknown;
    expect(await agent.probe('')).toMatchObject({ ok: false, why });
  });

  it('because it is another program is told so by its version', async () => {
    const { agent } = await aClaude([], aProgram('#!/bin/sh\necho "\u001b[31mno\u001b[0m" >&2; exit 3\n'));
    const why = expect.stringMatching(/drives as claude.*\\u\{1b\}.*exit 3/) as unknown;
    expect(await agent.probe('')).toMatchObject({ ok: false, why });
  });

  it.each([
    ['not executable', (): string => aProgram('#!/bin/sh\n', 0o644), 'refused', /not executable \(chmod \+x\)/],
    ['a folder', (): string => dirname(aProgram('')), 'refused', /is a folder/],
    [
      'without its interpreter',
      (): string => aProgram('#!/no/such/node\n'),
      'refused',
      /first line of .* is not there/,
    ],
    [
      'not where the configuration says',
      (): string => '/no/such/claude',
      'missing',
      /is not there: \/no\/such\/claude/,
    ],
    [
      'not on PATH, or only an alias of a shell',
      (): string => 'no-claude-here',
      'missing',
      /not on PATH \(an alias .*agents\.claude\.program/,
    ],
  ] as const)('because it is %s', async (_, program, kind, words) => {
    const { agent, run } = await aClaude([], program());
    expect(await run()).toMatchObject({ why: { kind, detail: expect.stringMatching(words) as unknown } });
    expect(await agent.probe('')).toMatchObject({ ok: false, why: expect.stringMatching(words) as unknown });
  });

  it('because the folder of its work is gone says so', async () => {
    const { run } = await aClaude([]);
    expect(await run({ folder: '/no/such/desk' })).toMatchObject({
      why: { kind: 'refused', detail: expect.stringContaining('/no/such/desk') as unknown },
    });
  });

  it('because its arguments are too long says so', async () => {
    const { run } = await aClaude([]);
    expect(await run({ model: 'x'.repeat(200_000) })).toMatchObject({
      why: { kind: 'refused', detail: expect.stringContaining('longer than the system takes') as unknown },
    });
  });
});
