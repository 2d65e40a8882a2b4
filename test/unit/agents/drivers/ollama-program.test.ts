import { describe, expect, it } from 'vitest';
import { explainOllamaFailure } from '../../../../src/agents/drivers/ollama-program.ts';

const ended = (stderr: string) =>
  ({ ended: 'exited', exit: 1, signal: null, stdout: '', stderr, utf8: true, ms: 1 }) as const;

describe('why ollama failed', () => {
  it('is the error behind its spinner, and the spinner is nowhere in what it printed', () => {
    const why = explainOllamaFailure(
      ended('pulling manifest ⠙ \r⠹ \n⠸ Error: pull model manifest: file does not exist\n'),
      'qwen',
    );
    expect(why).toMatchObject({ kind: 'refused', detail: expect.stringContaining('ollama has no model qwen') });
    expect(why?.output).toMatch(/^pulling manifest *\n\nError: pull model manifest: file does not exist\n$/);
  });

  it.each([
    ['the prompt is longer than the context length currently available to the model', 'too-long'],
    ['400 Bad Request: the input exceeds the context length', 'too-long'],
    ['429 Too Many Requests: you have reached your hourly usage limit, please upgrade to continue', 'unavailable'],
    ["you've reached your weekly usage limit", 'unavailable'],
    ['503 Service Unavailable: ', 'unavailable'],
    ['503 Service Unavailable: server busy, please try again.', 'unavailable'],
    ['502 Bad Gateway', 'unavailable'],
    ['524 <none>', 'unavailable'],
    ['500 Internal Server Error: Internal Server Error (ref: 1a2b)', 'unavailable'],
    ['Post "http://127.0.0.1:11434/api/generate": read tcp 127.0.0.1:3: read: connection reset by peer', 'unavailable'],
    ['dial tcp: lookup ollama.example: Temporary failure in name resolution', 'unavailable'],
    ['Post "https://ollama.com/api/chat": dial tcp: lookup ollama.com: no such host', 'unavailable'],
    ['dial tcp: lookup nowhere: no such host', 'refused'],
    ['401 Unauthorized', 'refused'],
    ['500 Internal Server Error: model requires more system memory than is available', 'refused'],
    // A model that crashes would be asked again in vain.
    ['500 Internal Server Error: model runner has unexpectedly stopped', 'crash'],
    ['unexpected EOF', 'crash'],
    ['the template has 502 lines, of which 429 are empty', 'crash'],
  ])('"%s" is %s', (words, kind) => {
    expect(explainOllamaFailure(ended(`Error: ${words}\n`), 'gpt-oss:120b-cloud')).toMatchObject({ kind });
  });

  it('is waited for until the time that it names', () => {
    const now = { at: new Date('2026-10-05T10:00:00Z'), zone: 'UTC' };
    const words = "Error: you've reached your weekly usage limit, resets in 2 hours\n";
    expect(explainOllamaFailure(ended(words), 'x', now)?.until).toBe('2026-10-05T12:00:00.000Z');
  });
});
