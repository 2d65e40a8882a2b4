import { array, assert, constant, constantFrom, dictionary, pre, property, record, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findHooks, withHooks, withoutHooks } from '../../../../../src/rules/files/claude/edit-settings.ts';

const COMMAND = 'andon hook claude run';
const THEIRS = { hooks: [{ type: 'command', command: './notify.sh' }] };

const added = (text: string): string => {
  const read = withHooks(text, COMMAND);
  return read.ok ? read.value : `refused: ${read.why}`;
};
const removed = (text: string): string => {
  const read = withoutHooks(text);
  return read.ok ? read.value : `refused: ${read.why}`;
};
const hooksOf = (text: string) => (JSON.parse(text) as { hooks: Record<string, readonly object[]> }).hooks;

describe('andon in the settings of Claude Code', () => {
  test('stands behind the hooks of others, and leaves every other key as it is', () => {
    const before = JSON.stringify({ model: 'opus', hooks: { PreToolUse: [THEIRS], Stop: [THEIRS] } }, null, 4);
    const after = added(before);
    expect(hooksOf(after)['Stop']).toEqual([THEIRS, { hooks: [{ type: 'command', command: COMMAND, timeout: 60 }] }]);
    expect(hooksOf(after)['PreToolUse']).toEqual([THEIRS]);
    expect(after.startsWith(before.slice(0, 60))).toBe(true);
    expect(findHooks(after)).toMatchObject({
      value: { ours: [{ event: 'Stop' }, { event: 'SubagentStop' }], others: 1 },
    });
  });

  test('is written once, and a newer andon takes the place of an older one', () => {
    const first = added('{}\n');
    expect(added(first)).toBe(first);
    const older = first.replaceAll(COMMAND, "'/old/node' '/old/andon.mjs' hook claude run");
    expect(added(older)).toBe(first);
  });

  test('is taken out of a group that it shares, out of a list of its own, and nowhere else', () => {
    const shared = JSON.stringify({
      hooks: { Stop: [{ hooks: [...THEIRS.hooks, { type: 'command', command: COMMAND }] }] },
    });
    expect(JSON.parse(removed(shared))).toEqual({ hooks: { Stop: [THEIRS] } });
    const own = JSON.stringify({ hooks: { Stop: [{ matcher: '', hooks: [{ type: 'command', command: COMMAND }] }] } });
    expect(JSON.parse(removed(own))).toEqual({});
    const foreign = JSON.stringify({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo hook claude run' }] }] },
    });
    expect(removed(foreign)).toBe(foreign);
  });

  test.each([
    ['{', 'line 1: found'],
    ['// mine\n{}', 'no comments'],
    ['{"hooks": {"Stop": [],}}', 'no trailing commas'],
    ['{"a": 1, "a": 2}', 'a'],
    ['[]', '$: found [] (a list'],
    ['{\n"hooks": []}', 'line 2: $.hooks: found'],
    ['{"hooks": {"Stop": {}}}', '$.hooks.Stop: found'],
    ['{"hooks": {"Stop": ["x"]}}', '$.hooks.Stop[0]: found "x"; expected an object with hooks'],
    ['{"hooks": {"SubagentStop": [{"hooks": 1}]}}', '$.hooks.SubagentStop[0].hooks: found 1; expected a list'],
  ])('refuses %j, and says where', (text, why) => {
    expect(added(text)).toContain(why.replace(' (a list', ''));
    expect(added(text)).toMatch(/^refused: /);
  });

  test('says that a file switches every hook off', () => {
    expect(findHooks('{"disableAllHooks": true}')).toMatchObject({ value: { isOff: true } });
  });

  test('gives any settings back when it is removed', () => {
    const groups = array(
      record({
        matcher: string(),
        hooks: array(record({ type: constant('command'), command: string() })),
      }),
      { minLength: 1 },
    );
    const settings = record(
      {
        model: string(),
        env: dictionary(
          string({ minLength: 1 }).filter((key) => !/^(?:__proto__|constructor|prototype)$/.test(key)),
          string(),
        ),
        hooks: record({ Stop: groups, PreToolUse: groups }, { requiredKeys: ['Stop'] }),
      },
      { requiredKeys: ['hooks'] },
    );
    assert(
      property(settings, constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        pre(!text.includes(COMMAND));
        expect(JSON.parse(removed(added(text)))).toEqual(JSON.parse(text));
      }),
    );
  });
});
