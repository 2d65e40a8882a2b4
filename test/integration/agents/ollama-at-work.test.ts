import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createServerProbe } from '../../../src/agents/drivers/ollama-program.ts';
import { probeExternal } from '../../../src/sandbox/processes/liveness-probe.ts';
import type { Ending } from '../../../src/sandbox/processes/command.ts';

const HEADER = 'NAME                    ID              SIZE      PROCESSOR    CONTEXT    UNTIL';
const row = (until: string): string =>
  `qwen2.5-coder:latest    dae161e27b0e    6.0 GB    100% GPU     8192       ${until}`;
const LISTED = `${HEADER}\n${row('4 minutes from now')}\n`;
const EVERY_MS = 1000;

/** The question, to an `ollama ps` that ends like this. */
function asking(listed: Partial<Ending>, host?: string) {
  const asked: string[] = [];
  const ending = { ended: 'exited', exit: 0, signal: null, stdout: LISTED, stderr: '', ms: 1, utf8: true } as const;
  const ask = (args: readonly string[]): Promise<Ending> => {
    asked.push(args.join(' '));
    return Promise.resolve({ ...ending, ...listed });
  };
  const question = { folder: '/', signal: new AbortController().signal };
  const isAtWork = probeExternal(createServerProbe(ask, 'qwen2.5-coder', question, host), EVERY_MS);
  return { isAtWork, asked };
}
const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });
/** A process that is called as a server of ollama is. */
function aServer(script: string): void {
  const server = spawn('/bin/sh', ['-c', script, 'serve'], { argv0: 'ollama', stdio: 'ignore', detached: true });
  onTestFinished(() => void process.kill(-(server.pid ?? 0), 'SIGKILL'));
}

describe('a server of ollama on another machine', () => {
  it.each(['4 minutes from now', 'Stopping...', 'Forever'])(
    'is believed when ps lists the model (%s)',
    async (until) => {
      const { isAtWork, asked } = asking({ stdout: `${HEADER}\n${row(until)}\n` }, 'gpu.example.org:11434');
      expect(await isAtWork()).toBe('`ollama ps`, which lists qwen2.5-coder');
      expect(asked).toEqual(['ps']);
    },
  );

  it.each([
    ['lists nothing', { stdout: `${HEADER}\n` }],
    ['lists another model', { stdout: LISTED.replace('qwen2.5-coder:', 'deepseek-r1:') }],
    ['fails', { exit: 1, stdout: LISTED }],
    ['hangs and is ended', { ended: 'hard', exit: null, stdout: LISTED } as const],
    ['is not there', { ended: 'missing', exit: null, stdout: '' } as const],
    ['prints something else', { stdout: 'qwen2.5-coder is fine, thank you' }],
  ])('is not believed when ps %s', async (_, listed) => {
    expect(await asking(listed, 'gpu.example.org').isAtWork()).toBeUndefined();
  });
});

describe('a server of ollama on this machine', () => {
  it.each([undefined, 'localhost', '0.0.0.0:11434'])(
    'gives no evidence without a visible process of it, although the model is listed (OLLAMA_HOST=%s)',
    async (host) => {
      const { isAtWork } = asking({}, host);
      await isAtWork();
      await pause(200);
      expect(await isAtWork()).toBeUndefined();
    },
  );

  it.each([undefined, '', '127.0.0.1:11434', 'http://localhost:11434', '0.0.0.0', '[::1]:11434', ':11434'])(
    'that does nothing is no evidence, although the model is still loaded (OLLAMA_HOST=%s)',
    { tags: 'thorough' },
    async (host) => {
      aServer('sleep 60');
      await pause(150);
      const { isAtWork } = asking({}, host);
      await isAtWork();
      await pause(200);
      expect(await isAtWork()).toBeUndefined();
    },
  );

  it(
    'that computes, in a runner that it started, is evidence from the second look on',
    { tags: 'thorough' },
    async () => {
      aServer('(while :; do :; done) & wait');
      await pause(150);
      const { isAtWork } = asking({});
      expect(await isAtWork()).toBeUndefined();
      await pause(1500);
      expect(await isAtWork()).toMatch(
        /^`ollama ps`, which lists qwen2\.5-coder, and \d\.\d s of CPU time of its server$/,
      );
    },
  );
});
