/** @module-tag thorough */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { EDITING_NAMES, REAL_KEY, addAgent, editBy, type EditingName } from '../support/edit-drivers.ts';
import { aFactory } from '../support/factory.ts';
import { NO_CAGE } from '../support/no-cage.ts';
import { modelApis, type Saying } from '../support/model-apis.ts';
import { FINAL } from '../support/scenario.ts';

beforeEach(({ skip }) => skip(NO_CAGE !== '', NO_CAGE));

const PATH = 'docs/auth_final.md';
const WRITES = `printf '%s' '${FINAL}' > ${PATH}`;
const DONE = 'The document holds both versions now.';

/** A model that has each attempt run its commands, one after the other; the last attempt is repeated. */
function attempts(...all: readonly (readonly string[])[]): Saying {
  let [attempt, step] = [-1, 0];
  return (_, { turns }) => {
    if (turns === 0) [attempt, step] = [Math.min(attempt + 1, all.length - 1), 0];
    const run = all[attempt]?.[step];
    step += 1;
    return run === undefined ? DONE : { run };
  };
}

/** The whole of a program that edits: it asks its model once, and runs what that wants run. */
const ASKS_ONCE = `#!/usr/bin/env node
import { execSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
const { MODEL_URL, MODEL_KEY } = process.env;
const answer = await fetch(MODEL_URL + '/chat/completions', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + MODEL_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: process.argv[2], messages: [{ role: 'user', content: await text(process.stdin) }], tools: [{ type: 'function', function: { name: 'bash' } }] }),
});
const { choices: [{ message }] } = await answer.json();
execSync(JSON.parse(message.tool_calls[0].function.arguments).command);
console.log('I did what I was asked.');
`;

interface Line {
  readonly files?: Readonly<Record<string, string>>;
  readonly given?: Parameters<typeof editBy>[3];
}

/** A factory whose implementer works on the files itself. */
async function aLine(say: Saying, { files = {}, given = {} }: Line = {}, program: EditingName = 'codex') {
  const api = await modelApis(say);
  onTestFinished(() => api.close());
  const factory = await aFactory({ files, cage: 'bubblewrap' });
  const name = editBy(factory, program, api.url, given);
  const run = (changes: Parameters<typeof aContract>[0] = {}) =>
    factory.run(aContract({ 'roles.implementer': name, ...changes }));
  return { api, factory, name, run };
}

const written = (factory: { git: (...args: string[]) => string }): string => factory.git('show', `main:${PATH}`);

test.each(EDITING_NAMES)('%s changes files itself, and the change is merged', async (program) => {
  const { factory, api, run } = await aLine(attempts([WRITES]), {}, program);
  expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
  expect(written(factory)).toBe(FINAL.trimEnd());
  const { calls } = (await factory.show('DOC-001')) as unknown as { calls: readonly Record<string, unknown>[] };
  expect(calls[0]).toMatchObject({ station: 'implementer', agent: program, ok: true, tokensIn: 2400 });
  expect(api.asked.every(({ headers }) => JSON.stringify(headers).includes(REAL_KEY))).toBe(true);
  expect(api.asked.every(({ text }) => !text.includes('FILE: '))).toBe(true);
});

describe('an agent in the cage', () => {
  test('sees neither the real key, nor the repository’s own settings of agents, nor its git', async () => {
    const spies = [
      'mkdir -p docs',
      `(env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n') 2>/dev/null | grep -q 'the-real-ke[y]' && echo key >> docs/leak.md`,
      'for f in .claude .mcp.json opencode.json .git .env; do test -e $f && echo $f >> docs/leak.md; done',
      WRITES,
    ];
    const files = { '.claude/settings.json': '{"hooks":{}}\n', '.mcp.json': '{}\n', 'opencode.json': '{}\n' };
    const { factory, run } = await aLine(attempts([spies.join('\n')]), { files });
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(factory.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('leak');
    expect(factory.git('show', 'main:.claude/settings.json')).toBe('{"hooks":{}}');
  });

  test('writes nothing outside its copy, and what it does to a git there stays there', async () => {
    const { factory, run } = await aLine(
      attempts([
        `echo x > "$OUT/evil"; echo x > ../evil; echo x > /etc/andon-evil; echo x > /tmp/andon-evil
mkdir -p .git/hooks; printf '#!/bin/sh\\nexit 1\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git init -q .
${WRITES}`,
      ]),
    );
    const hooks = join(factory.repo, '.git/hooks/pre-commit');
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(['/etc/andon-evil', '/tmp/andon-evil', hooks].filter((path) => existsSync(path))).toEqual([]);
    expect(written(factory)).toBe(FINAL.trimEnd());
  });

  test('leaves no process behind, however it hides it', async () => {
    const daemon = '(setsid nohup sh -c "while :; do date >> docs/ticks.log; sleep 0.2; done" >/dev/null 2>&1 &)';
    const { factory, run } = await aLine(attempts([`${daemon}; ${WRITES}`]));
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(factory.processes().filter(({ command }) => command.includes('ticks.log'))).toEqual([]);
  });

  test('reaches no network but its model', async () => {
    let direct = '';
    const say = attempts(['true']);
    const { factory, api, run } = await aLine((prompt, asked) => {
      if (asked.turns > 0 || direct === '') return say(prompt, asked);
      const node = `node -e "fetch('${direct}/direct').then(()=>require('fs').writeFileSync('docs/leak.md','x'),()=>{})"`;
      return { run: `${node}; ${WRITES}` };
    });
    direct = api.url;
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(api.asked.some(({ url }) => url.includes('direct'))).toBe(false);
    expect(factory.git('ls-tree', '-r', '--name-only', 'main')).not.toContain('leak');
  });

  test('that fills the disk is ended, and tried again', async () => {
    const flood = 'head -c 400000000 /dev/zero > docs/flood.bin; sleep 60';
    const { factory, run } = await aLine(attempts([flood], [WRITES]), { given: { cage: { limits: { disk_mb: 50 } } } });
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    const { calls } = await factory.show('DOC-001');
    expect(calls.filter(({ station }) => station === 'implementer').map(({ ok }) => ok)).toEqual([false, true]);
  });
});

describe('what it has changed is held to what an answer in text is held to', () => {
  test.each([
    ['a link', 'ln -s /etc/passwd docs/link.md', 'symbolic link'],
    ['a file outside its scope', 'echo x >> README.md', 'README.md'],
    ['a file that is no text', "printf '\\0\\1' > docs/bytes.md", 'not UTF-8 text'],
    ['a deleted file', 'rm docs/auth_v1.md', 'allows no deletions'],
  ])('%s refuses the whole, in words that it hears', async (_, bad, why) => {
    const { factory, api, run } = await aLine(attempts([`${bad}; ${WRITES}`], [WRITES]));
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(api.asked.some(({ text }) => text.includes('Your last answer was refused') && text.includes(why))).toBe(
      true,
    );
    expect(factory.git('diff', '--name-only', (await factory.show('DOC-001')).base, 'main')).toBe(`TODO.md\n${PATH}`);
  });

  test('four edits that cut most of a file halt as what they are, and a person may allow it', async () => {
    const files = { [PATH]: 'A line of the guide.\n'.repeat(60) };
    const { factory, run } = await aLine(attempts([WRITES]), { files });
    const { dog } = await run({ 'breaker.max_delete_ratio': 1 });
    expect(factory.breaker()).toBe('destructive_action');
    expect(factory.paper('ERIK_HALT.md')).toContain('Let files lose most of their lines');
    await factory.andon('resume', 'DOC-001', '--path', '1');
    await dog.until(() => factory.isMerged());
    expect(written(factory)).toBe(FINAL.trimEnd());
  });

  test('a clean end that changed nothing is a failure of its own', async () => {
    const { factory, api, run } = await aLine(attempts(['true'], [WRITES]));
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    const { story } = await factory.show('DOC-001');
    expect(JSON.stringify(story)).toContain('ended well and changed nothing');
    expect(api.asked.some(({ text }) => text.includes('ended well and changed nothing'))).toBe(true);
  });

  test('an agent that died counts for nothing, whatever it had written', async () => {
    const { factory, run } = await aLine(attempts([`${WRITES}; echo more > docs/more.md; kill -KILL $PPID`], [WRITES]));
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(factory.git('diff', '--name-only', (await factory.show('DOC-001')).base, 'main')).toBe(`TODO.md\n${PATH}`);
  });
});

describe('the door', () => {
  test('tells a limit of the service apart: the line waits until the time that it names', async () => {
    const { factory, name } = await aLine(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const dog = await factory.begin(aContract({ 'roles.implementer': name }));
    await dog.until(async () => Boolean((await factory.status()).task?.hold));
    expect((await factory.status()).task?.hold).toMatchObject({ station: 'implementer', until: expect.any(String) });
  });
});

test('a program of your own edits too, by what you say of it, and is tried without a contract', async () => {
  const { factory, api } = await aLine((prompt, asked) => {
    const [, trial] = /Write one file, (\S+),/.exec(prompt) ?? [];
    return trial === undefined ? attempts([WRITES])(prompt, asked) : { run: `echo tried > ${trial}` };
  });
  const program = join(factory.folder, 'edit-by-a-model.mjs');
  writeFileSync(program, ASKS_ONCE);
  chmodSync(program, 0o755);
  addAgent(factory, 'mine', {
    program,
    calls: { edit: { args: ['{model}'], env: { MODEL_URL: '{door}', MODEL_KEY: '{key}' } } },
    door: { to: `${api.url}/v1`, key_env: ['MY_KEY'] },
    env: { MY_KEY: REAL_KEY },
    output: { format: 'text' },
  });
  expect((await factory.andon('agents', 'add', 'my-editor', '--driver', 'mine', '--model', 'm1', '--edits')).code).toBe(
    0,
  );
  const tried = await factory.andon('agents', 'test', 'my-editor');
  expect(tried.stdout).toMatch(/^ok +edit call +understood: it wrote the file \(1200 \+ 40 tokens/m);
  expect(tried.code).toBe(0);
  expect((await factory.run(aContract({ 'roles.implementer': 'my-editor' }))).status).toBe('merged');
  expect(written(factory)).toBe(FINAL.trimEnd());
  expect(
    api.asked.every(({ headers, model }) => headers.authorization === `Bearer ${REAL_KEY}` && model === 'm1'),
  ).toBe(true);
});

describe('without a cage', () => {
  test('no agent is let at files, and the halt says how you would consent', async () => {
    const { factory, run, api } = await aLine(attempts([WRITES]), { given: { cage: { driver: 'none' } } });
    expect((await run()).status).toBe('erik_consultation');
    expect(factory.paper('ERIK_HALT.md')).toContain('agents.codex.calls.edit.uncaged: true');
    expect(api.asked).toEqual([]);
  });

  test('one works as you, behind the same door, where you consented', async () => {
    const own = { calls: { edit: { uncaged: true } } };
    const { factory, run, api } = await aLine(attempts([WRITES]), { given: { cage: { driver: 'none' }, own } });
    expect((await run()).status, factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(api.asked.every(({ headers }) => JSON.stringify(headers).includes(REAL_KEY))).toBe(true);
  });
});

test('a profile that edits by a program that cannot is refused with the contract', async () => {
  const factory = await aFactory({ files: { '.andon/agents/x.yaml': 'driver: ollama\nmodel: m\nedits: true\n' } });
  const dog = await factory.begin(aContract({ 'roles.implementer': 'x' }));
  await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
  expect(factory.paper('CONTRACT_REJECTED.md')).toContain('takes no edit call');
  expect(readFileSync(join(factory.repo, '.andon/agents/x.yaml'), 'utf8')).toContain('edits: true');
});
