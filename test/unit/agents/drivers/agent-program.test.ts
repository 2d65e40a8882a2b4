import { describe, expect, it } from 'vitest';
import { getLastMessage } from '../../../../src/agents/drivers/agent-program.ts';

describe('what a program that failed is quoted with', () => {
  it('is its last line', () => {
    expect(getLastMessage('a warning\nno such model\n')).toBe('no such model');
    expect(getLastMessage('Ungültiger Schlüssel: é')).toBe('Ungültiger Schlüssel: é');
    expect(getLastMessage('')).toBe('');
  });

  it('is the message of data on several lines that it ends with', () => {
    const error = { session_id: 's', error: { type: 'Error', message: 'API key not valid', code: 401 } };
    expect(getLastMessage(`Error: x\n    at y\n${JSON.stringify(error, null, 2)}\n`)).toBe('API key not valid');
  });

  it('is its last line where the data has no message', () => {
    expect(getLastMessage(`${JSON.stringify({ code: 1 }, null, 2)}\n`)).toBe('}');
  });
});
