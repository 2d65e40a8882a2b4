import { describe, expect, test } from 'vitest';
import { readAgentProfiles } from '../../../../src/project/config/agent-profiles.ts';

const NONE = { name: '.rulebound/agents.json', text: undefined };
const own = (text: string, name = 'claude-admin') => [{ name: `.andon/agents/${name}.yaml`, text }];
const rulebound = (value: unknown) => ({
  name: '.rulebound/agents.json',
  text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
});
const wrong = (read: ReturnType<typeof readAgentProfiles>) =>
  read.faults.map(({ source, path, message }) => `${source.name}:${source.line ?? ''} ${path}: ${message}`);

describe('agent profiles', () => {
  test('the four agents of the design are read, also those without roles', () => {
    const { profiles, faults } = readAgentProfiles(
      [],
      rulebound({
        agents: {
          claude: { roles: ['architect', 'implementer'], rules: ['all'], enforcement: 'strict' },
          'claude-admin': { roles: ['reviewer', 'security'], rules: ['security/*', 'global/*'], enforcement: 'strict' },
          codex: { rules: ['all'], enforcement: 'moderate' },
          opencode: { rules: ['all'], enforcement: 'moderate' },
        },
      }),
    );
    expect(faults).toEqual([]);
    expect(profiles.map(({ name, roles, enforcement }) => [name, roles, enforcement])).toEqual([
      ['claude', ['architect', 'implementer'], 'strict'],
      ['claude-admin', ['security', 'reviewer'], 'strict'],
      ['codex', [], 'moderate'],
      ['opencode', [], 'moderate'],
    ]);
  });

  test('a file of its own is named after its profile; what it leaves out has a default', () => {
    expect(readAgentProfiles(own('roles: [qa]\n', 'claude-qa'), NONE)).toEqual({
      profiles: [
        {
          name: 'claude-qa',
          roles: ['qa'],
          rules: ['all'],
          enforcement: undefined,
          driver: undefined,
          model: undefined,
          edits: false,
          limits: { idleMinutes: undefined, hardMinutes: undefined },
          vars: {},
          file: '.andon/agents/claude-qa.yaml',
        },
      ],
      faults: [],
    });
    expect(readAgentProfiles(own(''), NONE).profiles).toHaveLength(1);
  });

  test('who does its work, by which model and in which time is said by names and figures alone', () => {
    const text = 'driver: codex\nmodel: gpt-5.5\nlimits: { idle_minutes: 5, hard_minutes: 20 }\n';
    expect(readAgentProfiles(own(text), NONE)).toMatchObject({
      faults: [],
      profiles: [{ driver: 'codex', model: 'gpt-5.5', limits: { idleMinutes: 5, hardMinutes: 20 } }],
    });
  });

  test.each(['driver: /usr/bin/sh', 'driver: ../x', 'model: --yolo', 'model: a b', 'limits: { idle_minutes: 0 }'])(
    '`%s` is a fault',
    (line) => {
      expect(readAgentProfiles(own(`${line}\n`), NONE)).toMatchObject({ profiles: [], faults: [expect.anything()] });
    },
  );

  test.each([[null], [{}], [{ agents: {} }]])('%j holds no agent and is no fault', (value) => {
    expect(readAgentProfiles([], rulebound(value))).toEqual({ profiles: [], faults: [] });
  });

  test.each([
    ['an enforcement that is none', { agents: { a: { enforcement: 'STRICT' } } }, '$.agents.a.enforcement'],
    ['a role that nobody has', { agents: { a: { roles: ['boss'] } } }, '$.agents.a.roles[0]'],
    ['a key that means nothing', { agents: { a: { rule: ['all'] } } }, '$.agents.a'],
    ['no rule at all', { agents: { a: { rules: [] } } }, '$.agents.a.rules'],
    ['a list of agents', { agents: [] }, '$.agents'],
    ['another key beside the agents', { agents: {}, model: 'x' }, '$.model'],
  ])('%s is a fault with its place, and gives no profile', (_, value, place) => {
    const read = readAgentProfiles([], rulebound(value));
    expect(read.profiles).toEqual([]);
    expect(wrong(read).join('\n')).toContain(` ${place}: `);
  });

  test('a fault names the line', () => {
    const [fault] = wrong(readAgentProfiles([], rulebound({ agents: { a: { enforcement: 'STRICT' } } })));
    expect(fault).toContain('agents.json:4 ');
  });

  test.each(['program: sh', 'args: [-c, "curl x"]', 'env: {A: b}', 'base_url: http://x'])(
    'a repository that says `%s` is told that this is the user’s',
    (line) => {
      const { profiles, faults } = readAgentProfiles(own(`roles: [qa]\n${line}\n`), NONE);
      expect(profiles).toEqual([]);
      expect(faults[0]?.remedy).toContain('your own configuration');
    },
  );

  test.each(['not json', '{"agents": {"a": {}, "a": {}}}', '[]'])('%j is a fault', (text) => {
    expect(readAgentProfiles([], rulebound(text)).faults).toHaveLength(1);
  });

  test('one name in two files is a fault', () => {
    const read = readAgentProfiles(own('roles: [qa]', 'a'), rulebound({ agents: { a: {} } }));
    expect(wrong(read)).toEqual(['.rulebound/agents.json: $: a is defined in .andon/agents/a.yaml already']);
  });

  test.each(['.hidden', 'with space', '-dash', '..'])('%j is no name of a profile', (name) => {
    expect(readAgentProfiles(own('roles: [qa]', name), NONE).profiles).toEqual([]);
    expect(readAgentProfiles([], rulebound({ agents: { [name]: {} } })).faults).toHaveLength(1);
  });
});
