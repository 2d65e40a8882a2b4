import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/project/config/read-settings.ts';
import { userSchema } from '../../../../src/project/config/user-schema.ts';

const NAME = '.andon/config.yaml';
const settings = (project: string) =>
  readSettings({ name: NAME, text: project }, { name: 'config.yaml', text: undefined }, '/project');

describe('a shared folder of the project configuration', () => {
  it.each([
    '..',
    '../..',
    '../../../home/erik/.ssh',
    'src/../..',
    'src/../../x',
    '/etc',
    '~/.ssh',
    'C:/Users',
    '.',
    './x',
    '',
    'a//b',
    'a/',
    '.git',
    '.GIT/hooks',
    'sub/.git',
    '_handoff',
    '_Handoff/archive',
    '.andon',
  ])('cannot be %j', (path) => {
    const read = settings(JSON.stringify({ share: ['node_modules', path] }));
    expect(read).toEqual({ ok: false, why: [expect.stringContaining(`${NAME}: share.1: cannot be shared: `)] });
  });

  it.each(['node_modules', '.venv', 'packages/web/node_modules', '_handoffs', '.github'])('can be %j', (path) => {
    expect(settings(JSON.stringify({ share: [path] }))).toMatchObject({ ok: true, value: { share: [path] } });
  });
});

describe('a value that may be one of several kinds', () => {
  it.each([
    ['cage: none of it', /cage: .*"bubblewrap"/],
    ['cage: {driver: docker}', /cage\.driver: .*"bubblewrap"/],
    ['notifications: {desktop: loud}', /notifications\.desktop: .*"auto"/],
  ])('is refused with what it may be: %s', (text, expected) => {
    const read = readSettings({ name: NAME, text: undefined }, { name: 'config.yaml', text }, '/project');
    const why = read.ok ? [] : read.why;
    expect(why).toContainEqual(expect.stringMatching(expected));
    expect(why.join('\n')).not.toMatch(/Invalid input$/m);
  });
});

describe('a command with a NUL, which no shell takes', () => {
  const NUL = ' The command holds a NUL character, which no shell takes.';

  it.each([
    [{ setup: ['true', 'a\0b'] }, 'setup.1:'],
    [{ gates: [{ name: 'test', run: 'a\0b' }] }, 'gates.0.run:'],
  ])('is refused in a repository: %j', (project, place) => {
    expect(settings(JSON.stringify(project))).toEqual({ ok: false, why: [`${NAME}: ${place}${NUL}`] });
  });

  it.each([
    [{ ollama: { program: 'a\0b' } }, 'ollama.program'],
    [{ codex: { args: ['a\0b'] } }, 'codex.args.0'],
    [{ codex: { env: { A: 'a\0b' } } }, 'codex.env.A'],
    [{ codex: { calls: { text: { args: ['a\0b'] } } } }, 'codex.calls.text.args'],
  ])('is refused in the configuration of a user: %j', (agents, place) => {
    const user = { name: 'config.yaml', text: JSON.stringify({ agents }) };
    const read = readSettings({ name: NAME, text: undefined }, user, '/project');
    expect(read.ok ? '' : read.why.join('\n')).toContain(place);
    expect(read.ok ? '' : read.why.join('\n')).toContain(NUL);
  });
});

describe('a mistyped value', () => {
  it.each([
    ['cage: bublewrap', 'cage: ', '"bubblewrap"|"sandbox-runtime"|"none"; did you mean bubblewrap?'],
    ['cage: {driver: bublewrap}', 'cage.driver: ', 'did you mean bubblewrap?'],
    ['cage: {drivr: none}', 'cage: ', 'did you mean driver?'],
    ['projects: {/project: {cage: bublewrap}}', 'projects./project.cage: ', 'did you mean bubblewrap?'],
  ])('is named once, with the one that was meant: %s', (text, place, meant) => {
    const read = readSettings({ name: NAME, text: undefined }, { name: 'config.yaml', text }, '/project');
    const why = read.ok ? [] : read.why;
    expect(why).toHaveLength(1);
    expect(why[0]).toContain(`config.yaml: ${place}`);
    expect(why[0]).toContain(meant);
    expect(why[0]).not.toContain('expected object');
  });

  it('that none is near to gets the allowed ones alone', () => {
    const read = settings('judge: nobody-at-all');
    expect(read.ok ? [] : read.why).toEqual([`${NAME}: judge: Invalid option: expected one of "andon"|"external"`]);
  });
});

describe('a key that nobody knows', () => {
  it.each([
    ['gatess: []', 'Unrecognized key: "gatess"; did you mean gates?'],
    ['hold: {leash_hour: 3}', /hold: .*; did you mean leash_hours\?/],
    ['gates: [{name: a, run: x, timeout_minute: 3}]', /gates\.0: .*; did you mean timeout_minutes\?/],
    ['xyzzyxyzzy: 1', /"xyzzyxyzzy"; known are .*gates/],
  ])('is refused with the one that was meant: %s', (text, expected) => {
    const read = settings(text);
    expect(read.ok ? [] : read.why).toContainEqual(
      typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected),
    );
  });
});

describe('a configuration of an older andon', () => {
  it('is read with its fallbacks of models, which have no effect, and is told what replaces them', () => {
    const ollama = { models: { one: 'two' }, fallbacks: { one: 'three' } };
    const user = { agents: { ollama }, projects: { '/project': { agents: { ollama: { fallbacks: {} } } } } };
    const read = readSettings(
      { name: NAME, text: undefined },
      { name: 'config.yaml', text: JSON.stringify(user) },
      '/project',
    );
    const notice = (key: string) => expect.stringContaining(`config.yaml: ${key}agents.ollama.fallbacks has no effect`);
    expect(read).toMatchObject({ ok: true, value: { notices: [notice(''), notice('projects./project.')] } });
  });
});

describe('a key that only a user may set', () => {
  const shared = ['cage', 'llm']; // a part of each belongs to the project
  const keys = Object.keys(userSchema().shape).filter((key) => !shared.includes(key));

  it.each([...keys, 'cage', 'budget'])('is ignored in a repository, with a notice: %s', (key) => {
    const read = readSettings(
      { name: NAME, text: JSON.stringify({ [key]: 'off' }) },
      { name: 'config.yaml', text: '' },
      '/project',
    );
    const notice = `${NAME} sets \`${key}\`, which a repository may not decide; it is ignored. Set it in config.yaml.`;
    expect(read).toMatchObject({ ok: true, value: { secondLook: 'on', notices: [notice] } });
  });
});

describe('the list of protected files', () => {
  const both = (project: object, user: object) =>
    readSettings(
      { name: NAME, text: JSON.stringify(project) },
      { name: 'config.yaml', text: JSON.stringify(user) },
      '/project',
    );

  it('is lengthened by the project and shortened by the user, here or everywhere', () => {
    const project = { protected_paths: ['infrastructure/', 'deploy.sh'] };
    expect(both({}, {})).toMatchObject({ value: { protectedPaths: undefined } });
    expect(both(project, {})).toMatchObject({
      value: { protectedPaths: { more: ['infrastructure/', 'deploy.sh'], less: [] }, notices: [] },
    });
    const here = {
      unprotected_paths: ['yarn.lock'],
      projects: { '/project': { unprotected_paths: ['infrastructure'] } },
    };
    expect(both(project, here)).toMatchObject({
      value: { protectedPaths: { more: ['deploy.sh'], less: ['infrastructure'] }, notices: [] },
    });
  });

  it('is never shortened by a repository, and nothing is taken out without a word that is not on it', () => {
    expect(both({ unprotected_paths: ['yarn.lock'] }, {})).toMatchObject({
      value: { protectedPaths: undefined, notices: [expect.stringContaining('which a repository may not decide')] },
    });
    expect(both({}, { unprotected_paths: ['pakage-lock.json', '.git'] })).toMatchObject({
      value: {
        notices: [
          'config.yaml: unprotected_paths: the list has no entry pakage-lock.json; did you mean package-lock.json?',
          'config.yaml: unprotected_paths: .git is protected always',
        ],
      },
    });
    expect(both({ protected_paths: ['!x'] }, {})).toMatchObject({ ok: false, why: [expect.stringContaining('`!`')] });
  });
});

describe('the judges of contracts that name none', () => {
  it.each([
    ['{}', { judge: 'claude-code-cli' }],
    ['roles: {judge: strict}', { judge: 'strict' }],
    ['roles: {judge: [strict, claude-opus-5]}', { judge: 'strict', judges: ['strict', 'claude-opus-5'] }],
  ])('are a name or a list of them: %s', (text, judges) => {
    expect(settings(text)).toMatchObject({ ok: true, value: { roles: judges } });
  });
});

describe('the implementers of new contracts', () => {
  it.each([
    ['{}', ['qwen2.5-coder']],
    ['roles: {implementer: small}', ['small']],
    ['roles: {implementer: [small, large]}', ['small', 'large']],
  ])('are a name or a list of them: %s', (text, implementers) => {
    expect(settings(text)).toMatchObject({ ok: true, value: { roles: { implementers } } });
  });

  it.each([
    ['roles: {implementer: []}', 'roles.implementer: '],
    ['roles: {implementer: [a, b, c, d, e, f]}', 'roles.implementer: '],
    ['roles: {implementer: [a, b, a]}', 'roles.implementer.2: The list names "a" before; name each once.'],
    ['roles: {implementer: [a, -b]}', 'roles.implementer.1: '],
    ['roles: {implementer: [{program: /bin/evil}]}', 'roles.implementer.0: '],
  ])('are refused, with the place: %s', (text, why) => {
    expect(settings(text)).toEqual({ ok: false, why: [expect.stringContaining(`${NAME}: ${why}`)] });
  });
});

describe('the history of the target', () => {
  it.each([
    ['template: "{typ}: {title}"', /history\.template: unknown placeholder \{typ\}; known are \{title\}, /],
    ['template: "\\n{title}"', /history\.template: its first line is no subject/],
    ['template: "{requirements}"', /history\.template: \{requirements\} has more lines/],
    ['co_authored_by: ["{agnt} <a@b>"]', /history\.co_authored_by\.0: unknown placeholder \{agnt\}/],
    ['co_authored_by: [nobody]', /history\.co_authored_by\.0: expected a name and an address/],
    ['author: "Erik <e@x.org>\\nAndon-Task: X"', /history\.author: expected andon, user, or a name and an address/],
    ['style: rebase', /history\.style: .*"merge"\|"squash"/],
  ])('is refused with its place: %s', (text, expected) => {
    const read = settings(`history: {${text}}`);
    expect(read.ok ? [] : read.why).toContainEqual(expect.stringMatching(expected));
  });

  it('is a merge by andon where nothing is said', () => {
    const read = settings('');
    expect(read).toMatchObject({
      value: { history: { style: 'merge', co_authored_by: [], signed_off_by: false } },
    });
    expect(read).not.toHaveProperty('value.history.author');
  });
});
