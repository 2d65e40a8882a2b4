import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../../src/project/config/read-settings.ts';
import { openKnownSettings } from '../../../../src/project/folders/known-settings.ts';

let state = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'andon-known-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const project = 'gates: [{ name: unit, run: npm test }]\nprotected_paths: [infra/**]\n';
const make = (user = 'web: { url: "https://board.example.org" }\ndigest: { at: "08:00" }\n') =>
  vi.fn<() => ReturnType<typeof readSettings>>(() =>
    readSettings({ name: 'config.yaml', text: project }, { name: 'user.yaml', text: user }, '/repo'),
  );

/** What one command does. */
function read(texts: unknown, made: ReturnType<typeof make>, program: string | undefined = 'one.js') {
  const known = openKnownSettings(state, program);
  const settings = known.read(texts, made);
  known.keep();
  return settings;
}

describe('settings that were read before', () => {
  it('are taken for the same texts, value by value', () => {
    const made = make();
    const first = read('a', made);
    expect(first).toMatchObject({ ok: true });
    expect(read('a', made)).toStrictEqual(first);
    expect(made).toHaveBeenCalledTimes(1);
  });

  it('are known for two texts, such as those of the checkout and of the target', () => {
    const made = make();
    for (const texts of ['a', 'b', 'a', 'b']) read(texts, made);
    expect(made).toHaveBeenCalledTimes(2);
    for (const texts of ['c', 'b', 'c', 'a']) read(texts, made);
    expect(made).toHaveBeenCalledTimes(4);
  });

  it('are read again by another program, and always in a clone', () => {
    const made = make();
    for (const program of ['one.js', 'two.js', 'one.js', 'two.js']) read('a', made, program);
    expect(made).toHaveBeenCalledTimes(2);
    const inClone = openKnownSettings(state);
    for (const _ of [1, 2]) inClone.read('a', made);
    expect(made).toHaveBeenCalledTimes(4);
  });

  it('are not kept with a secret, nor where a configuration is wrong', () => {
    const withSecret = make('agents: { claude: { env: { API_TOKEN: "tok-3f9a8b7c6d5e4f3a2b1c" } } }\n');
    const wrong = make('cages: none\n');
    for (const made of [withSecret, wrong]) {
      for (const _ of [1, 2]) read('a', made);
      expect(made).toHaveBeenCalledTimes(2);
    }
    expect(read('a', wrong)).toMatchObject({ ok: false });
    expect(() => readFileSync(join(state, 'known-settings'))).toThrow('ENOENT');
  });

  it.each(['', 'no base64 at all', Buffer.from('{"a": 1}').toString('base64')])(
    'are read again where the file holds %j',
    (text) => {
      writeFileSync(join(state, 'known-settings'), text);
      const made = make();
      expect(read('a', made)).toMatchObject({ ok: true });
      expect(made).toHaveBeenCalledTimes(1);
    },
  );
});
