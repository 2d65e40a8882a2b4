import { describe, expect, it, test } from 'vitest';
import { followChatStream } from '../../../../src/agents/drivers/served-agent.ts';
import { followProgram } from '../../../../src/agents/drivers/follow-program.ts';
import { readPieces, showText } from '../../../../src/agents/drivers/read-pieces.ts';
import type { DriverOutput } from '../../../../src/project/config/driver-output.ts';
import type { OutputPiece } from '../../../../src/agents/agent.ts';
import { aDriver } from '../../../support/drivers.ts';
import * as fc from '../../../support/properties.ts';

/** What a person sees of a program's output, a line each. */
function seen(output: DriverOutput, events: readonly unknown[]): readonly string[] {
  const pieces: OutputPiece[] = [];
  const following = followProgram(output, (piece) => pieces.push(piece));
  for (const event of events) following.follow(Buffer.from(`${JSON.stringify(event)}\n`));
  return inLines(pieces);
}

const inLines = (pieces: readonly OutputPiece[]): readonly string[] =>
  pieces.map(({ kind, text }) => `${kind}: ${text.trimEnd()}`);

describe('the events of a program as a person sees them', () => {
  test.each<[string, readonly unknown[], readonly string[]]>([
    [
      'codex',
      [
        { type: 'thread.started', thread_id: 't' },
        { type: 'item.completed', item: { type: 'reasoning', text: 'Which file?' } },
        { type: 'item.started', item: { type: 'command_execution', command: 'npm test', status: 'in_progress' } },
        { type: 'item.completed', item: { type: 'command_execution', command: 'npm test', aggregated_output: 'ok' } },
        {
          type: 'item.completed',
          item: {
            type: 'file_change',
            changes: [
              { path: 'src/x.ts', kind: 'update' },
              { path: 'b.md', kind: 'add' },
            ],
          },
        },
        { type: 'error', message: 'Reconnecting... waiting for network' },
        { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } },
        { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } },
      ],
      [
        'thought: Which file?',
        'step: runs npm test',
        'step: writes src/x.ts',
        'step: writes b.md',
        'step: Reconnecting... waiting for network',
        'text: Done.',
      ],
    ],
    [
      'gemini',
      [
        { type: 'init', session_id: 's', model: 'm' },
        { type: 'message', role: 'user', content: 'the prompt' },
        { type: 'message', role: 'assistant', content: 'I look', delta: true },
        {
          type: 'tool_use',
          tool_name: 'write_file',
          tool_id: '1',
          parameters: { file_path: 'src/x.ts', content: '…' },
        },
        { type: 'tool_result', tool_id: '1', status: 'success', output: 'written' },
        { type: 'result', status: 'error', error: { type: 'Error', message: 'API key not valid' } },
      ],
      ['text: I look', 'step: writes src/x.ts', 'step: API key not valid'],
    ],
    [
      'qwen',
      [
        { type: 'system', subtype: 'init' },
        {
          type: 'assistant',
          message: {
            content: [
              { type: 'thinking', thinking: 'Hm.' },
              { type: 'text', text: 'I run it.' },
              { type: 'tool_use', name: 'run_shell_command', input: { command: 'npm test', description: 'tests' } },
            ],
          },
        },
        { type: 'user', message: { content: [{ type: 'tool_result', content: 'ok' }] } },
        { type: 'result', is_error: false, result: 'Done.' },
      ],
      ['thought: Hm.', 'text: I run it.', 'step: runs npm test'],
    ],
    [
      'opencode',
      [
        { type: 'step_start', part: {} },
        { type: 'text', part: { text: 'I search.' } },
        { type: 'tool_use', part: { tool: 'grep', state: { status: 'completed', input: { pattern: 'TODO' } } } },
        { type: 'tool_use', part: { tool: 'webfetch', state: { input: { url: 'https://a.example' } } } },
        { type: 'step_finish', part: { reason: 'stop' } },
      ],
      ['text: I search.', 'step: searches TODO', 'step: webfetch https://a.example'],
    ],
    [
      'copilot',
      [
        { type: 'assistant.message_delta', data: { deltaContent: 'Hello' } },
        { type: 'tool.execution_start', data: { toolName: 'create', arguments: { path: 'src/x.ts' } } },
        { type: 'tool.execution_complete', data: { success: true } },
        { type: 'assistant.message', data: { content: 'Hello' } },
        { type: 'result', exitCode: 0 },
      ],
      ['text: Hello', 'step: writes src/x.ts'],
    ],
  ])('of %s', (name, events, wanted) => {
    expect(seen(aDriver(name).output, events)).toEqual(wanted);
  });

  test('of Claude Code, as judge and as implementer that edits', () => {
    const delta = (more: object) => ({ type: 'stream_event', event: { type: 'content_block_delta', delta: more } });
    const events = [
      { type: 'system', subtype: 'init', model: 'm' },
      { type: 'stream_event', event: { type: 'message_start', message: { id: 'm1', content: [] } } },
      delta({ type: 'thinking_delta', thinking: 'Is it' }),
      delta({ type: 'text_delta', text: 'I read' }),
      delta({ type: 'input_json_delta', partial_json: '{"file' }),
      {
        type: 'assistant',
        message: { id: 'm1', content: [{ type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a.ts' } }] },
      },
      { type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text: 'I read' }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'export {};' }] } },
    ];
    const wanted = ['thought: Is it', 'text: I read', 'step: reads a.ts'];
    expect(seen(aDriver('claude-code').calls.edit?.output ?? aDriver('claude-code').output, events)).toEqual(wanted);
    expect(seen(aDriver('claude').output, events)).toEqual(wanted);
  });

  test("of a server of OpenAI's protocol", () => {
    const pieces: OutputPiece[] = [];
    const stream = followChatStream((piece) => pieces.push(piece));
    for (const delta of [{ reasoning_content: 'Hm' }, { content: 'Hel' }, { content: 'lo' }, { content: null }])
      stream.follow(Buffer.from(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`));
    expect(inLines(pieces)).toEqual(['thought: Hm', 'text: Hel', 'text: lo']);
  });

  test('of a driver without rules are its answer, and of plain text every byte', () => {
    const answer = { where: { type: 'say' }, take: 'words' } as const;
    expect(seen({ format: 'jsonl', answer }, [{ type: 'say', words: 'Hello' }])).toEqual(['text: Hello']);
    const pieces: OutputPiece[] = [];
    const show = showText((piece) => pieces.push(piece));
    const bytes = Buffer.from('Grüße');
    show(bytes.subarray(0, 3)); // within a character
    show(bytes.subarray(3));
    show(Buffer.from([0xff, 0x0a]));
    expect(pieces.map(({ text }) => text).join('')).toBe('Grüße\ufffd\n');
  });

  test('a line outside of events is shown, and an answer begins again after a tool where a driver says so', () => {
    const { output } = aDriver('gemini');
    const pieces: OutputPiece[] = [];
    const following = followProgram(output, (piece) => pieces.push(piece));
    const say = (content: string) => `${JSON.stringify({ type: 'message', role: 'assistant', content })}\n`;
    const tool = `${JSON.stringify({ type: 'tool_use', tool_name: 'glob' })}\n`;
    following.follow(Buffer.from(`warning: old\n${say('I look.')}${tool}${say('The ')}${say('answer')}`));
    expect(following.story().answer).toBe('The answer');
    expect(inLines(pieces)[0]).toBe('step: warning: old');
  });
});

it('an event of any shape is read without a failure, and gives texts alone', () => {
  const rules = ['codex', 'gemini', 'qwen', 'opencode', 'copilot'].flatMap((name) => aDriver(name).output.show ?? []);
  const anyRules = rules.map((rule) => ({ ...rule, where: {} }));
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('item', 'message', 'part', 'data', 'event'), (value, key) => {
      for (const event of [value, { [key]: value }, { [key]: { content: value, changes: value, delta: value } }])
        for (const { text } of readPieces(event, anyRules)) expect(typeof text).toBe('string');
    }),
  );
});
