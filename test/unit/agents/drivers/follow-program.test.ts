import { describe, expect, it } from 'vitest';
import { followProgram } from '../../../../src/agents/drivers/follow-program.ts';
import { aDriver } from '../../../support/drivers.ts';

/** What a program is understood to have printed, by the driver of its name. */
function story(name: string, ...lines: readonly (object | string)[]) {
  const stream = followProgram(aDriver(name).output);
  for (const line of lines) stream.follow(Buffer.from(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`));
  return stream.story();
}

const codex = (type: string, more: object): object => ({ type: 'item.completed', item: { type, ...more } });
const says = (text: string): object => codex('agent_message', { text });
const runs = { type: 'item.started', item: { type: 'command_execution' } };
const hasRun = codex('command_execution', {});
const text = (words: string): object => ({ type: 'text', part: { text: words } });
const read = { type: 'tool_use', part: { tool: 'read', state: { status: 'completed', input: { filePath: 'a.ts' } } } };
const copilot = (content: string): object => ({ type: 'assistant.message', data: { content } });

describe('the answer of a program', () => {
  it.each([
    ['codex', 'its last message', [says('I look.'), runs, hasRun, says('PASS')], 'PASS'],
    ['codex', 'its last message, while a command ends', [runs, says('PASS'), hasRun], 'PASS'],
    ['codex', 'nothing, where it ends with a command', [says('PASS'), runs, hasRun], ''],
    ['opencode', 'all texts of its last step', [text('FAIL'), { type: 'step_start' }, text('A'), text('B')], 'AB'],
    ['opencode', 'nothing, where its last step is empty', [text('PASS'), read, { type: 'step_start' }], ''],
    ['copilot', 'its last message', [copilot('I look.'), { type: 'tool.execution_start' }, copilot('PASS')], 'PASS'],
    ['copilot', 'nothing, where it ends with a tool', [copilot('PASS'), { type: 'tool.execution_start' }], ''],
  ])('of %s is %s', (name, _, events, answer) => {
    expect(story(name, ...events).answer).toBe(answer);
  });
});

describe('a line that is no event', () => {
  const whole = JSON.stringify({ type: 'message', role: 'assistant', content: 'if (!user.isAdmin) throw' });

  it.each([
    ['the beginning of one', [whole.slice(0, 40)]],
    ['one with words before it', [`WARN retry ${whole}`]],
    ['one with words in it', [`${whole.slice(0, 30)}(node:12) Warning: x`, whole.slice(30)]],
    ['the end of one', [`in: ${whole.slice(0, 20)}`, whole.slice(20)]],
  ])('makes the output unreadable where it is a part of one: %s', (_, lines) => {
    const after = { type: 'message', role: 'assistant', content: 'done' };
    expect(story('gemini', ...lines, after).unreadable).toBe('a line of what it printed is a broken event');
  });

  it.each([
    'Loaded cached credentials.',
    '[INFO] request {"method":"GET"}',
    '[INFO] phase {"status":"success"}',
    '(node:12) Warning: {x}',
  ])('is noise otherwise: %s', (line) => {
    const output = story('gemini', line, { type: 'message', role: 'assistant', content: 'done' });
    expect(output).toMatchObject({ unreadable: undefined, answer: 'done', plain: line });
  });
});
