import { describe, expect, it } from 'vitest';
import { lastWords } from '../../../src/adapters/agents/agent-program.ts';

describe('what a program that failed is quoted with', () => {
  it('is its last line', () => {
    expect(lastWords('a warning\nno such model\n')).toBe('no such model');
    expect(lastWords('Ungültiger Schlüssel: é')).toBe('Ungültiger Schlüssel: é');
    expect(lastWords('')).toBe('');
  });

  it('is the message of data on several lines that it ends with', () => {
    const error = { session_id: 's', error: { type: 'Error', message: 'API key not valid', code: 401 } };
    expect(lastWords(`Error: x\n    at y\n${JSON.stringify(error, null, 2)}\n`)).toBe('API key not valid');
  });

  it('is its last line where the data has no message', () => {
    expect(lastWords(`${JSON.stringify({ code: 1 }, null, 2)}\n`)).toBe('}');
  });
});
