import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory, type Factory } from '../support/factory.ts';
import { installClaude } from './install-claude.ts';
import { aMessagesApi, type Reply, type Step } from './messages-api.ts';
import { KEY, uses } from './real-factory.ts';

// andon's hook in the real Claude Code: only the model behind it is a script. What the model is sent next is the proof.

const claude = installClaude();
const name = claude.ok ? 'the hook in the real claude' : `not run: ${claude.why}`;
if (!claude.ok) console.warn(name);

const says = (text: string): Reply => ({ kind: 'text', text });
const runs = (command: string): Reply => uses('Bash', { command, description: 'look' });

/** One prompt to the real program in a repository whose settings ask andon; every turn that the model was asked for. */
async function aSession(prompt: string, ...script: readonly Step[]) {
  return aSessionWith(() => undefined, prompt, ...script);
}

async function aSessionWith(meanwhile: (factory: Factory) => void, prompt: string, ...script: readonly Step[]) {
  const factory = await aFactory({ files: { 'package.json': '{"scripts":{"test":"node --test"}}\n' } });
  const api = await aMessagesApi(...script);
  const home = join(factory.folder, 'home of claude');
  mkdirSync(home);
  const theirs = join(factory.folder, 'theirs');
  factory.write(
    '.claude/settings.local.json',
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `touch '${theirs}'` }] }] } }),
  );
  expect(await factory.andon('hook', 'claude', 'install', '--local')).toMatchObject({ code: 0 });
  meanwhile(factory);
  const child = spawn(
    claude.ok ? claude.value : '',
    [
      '-p',
      '--permission-mode',
      'acceptEdits',
      '--allowedTools',
      'Bash,Read,Edit,Write,Agent',
      '--output-format',
      'json',
    ],
    {
      cwd: factory.repo,
      env: { ...factory.env, HOME: home, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  let printed = '';
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()));
  child.stdin.end(prompt);
  await once(child, 'exit');
  const { result } = JSON.parse(printed) as { readonly result: string };
  return { theirs, result, asked: api.turns().map(({ text }) => text) };
}

describe.skipIf(!claude.ok)(name, () => {
  test('sends praise back to the model in andon’s words, and lets what comes next through; the hook of others runs too', async () => {
    const { asked, result, theirs } = await aSession(
      'Look at README.md',
      says('Perfect! What an excellent, brilliant plan.'),
      says('README.md has 1 line: "# Project A".'),
    );
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.');
    expect(result).toContain('README.md has 1 line');
    expect(existsSync(theirs)).toBe(true);
  });

  test('sends a model back that never stops praising twice, and then ends', async () => {
    const { asked, result } = await aSession('Look at README.md', says('Perfect! Excellent! Brilliant!'));
    expect(asked).toHaveLength(3);
    expect(result).toContain('Perfect!');
  });

  test('takes an approval for nothing where nothing ran, and for something where the tests really ran', async () => {
    const approval = says('APPROVE. I ran npm test and everything passed: 1/1 tests passed.');
    const { asked } = await aSession('Review the change', approval, runs('npm test'), approval);
    expect(asked).toHaveLength(3);
    expect(asked[1]).toContain('[SYSTEM] APPROVE rejected: no verification evidence. Run tests or show diff.');
    expect(asked[1]).toContain('nothing on record shows it');
  });

  test('holds a report of green tests against a run that was red', async () => {
    const { asked, result } = await aSession(
      'Make the tests pass',
      uses('Write', { file_path: 'a.test.mjs', content: "import t from 'node:test';\nt('no', () => { throw 1; });\n" }),
      runs('npm test'),
      says('Done: all tests passed, I ran npm test.'),
      says('npm test is red: 1 of 1 tests fails, the test itself throws.'),
    );
    expect(asked[3]).toContain('[SYSTEM] Report rejected: this session shows otherwise.');
    expect(asked[3]).toContain('npm test is red');
    expect(result).toContain('the test itself throws');
  });

  test('sends an agent back that another one started, by its own transcript', async () => {
    const { asked } = await aSession('Have it reviewed', (request) => {
      if (!request.text.includes('You are the reviewer')) {
        return request.text.includes('launched') || request.text.includes('NEEDS_REVIEW')
          ? says('The reviewer says NEEDS_REVIEW.')
          : uses('Agent', { description: 'review', prompt: 'You are the reviewer.', subagent_type: 'general-purpose' });
      }
      return request.text.includes('APPROVE rejected')
        ? says('NEEDS_REVIEW: nothing was run.')
        : says('LGTM, ship it. APPROVE');
    });
    expect(asked.filter((text) => text.includes('[SYSTEM] APPROVE rejected'))).not.toEqual([]);
  });

  test('goes on where andon does not understand its own settings: nothing is held up', async () => {
    const broken = (factory: Factory): void => factory.write('.andon/config.yaml', 'enforcement: [\n');
    const { asked, result } = await aSessionWith(broken, 'Look at README.md', says('Perfect! Excellent! Brilliant!'));
    expect(asked).toHaveLength(1);
    expect(result).toContain('Perfect!');
  });
});
