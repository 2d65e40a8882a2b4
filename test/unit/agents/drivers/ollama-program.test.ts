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
});
