/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aFactory } from '../support/factory.ts';

/** A repository that brings what looks like the user's own configuration, and programs with the names of those andon starts. */
async function aHostileRepository() {
  const factory = await aFactory({ through: () => [] });
  const ran = join(factory.folder, 'ran');
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(factory.repo, name)), { recursive: true });
    writeFileSync(join(factory.repo, name), text);
    chmodSync(join(factory.repo, name), 0o755);
  };
  const config = JSON.stringify({ agents: { ollama: { program: `${factory.repo}/git` } } });
  for (const folder of ['andon', '.config/andon', 'cfg/andon']) write(`${folder}/config.yaml`, config);
  for (const program of ['git', 'ollama', 'claude', 'bwrap', 'sh', 'node', 'notify-send'])
    for (const folder of ['.', 'node_modules/.bin'])
      write(`${folder}/${program}`, `#!/bin/sh\necho "${program} $*" >>'${ran}'\nexit 1\n`);
  factory.git('add', '--all', '--force');
  factory.git('commit', '--quiet', '--message=friendly');
  const strays = (): string =>
    execFileSync('git', ['status', '--porcelain', '--ignored', '-uall'], { cwd: factory.repo, encoding: 'utf8' });
  return { factory, ran: () => existsSync(ran), strays };
}

describe('a repository that lies in wait', () => {
  test.each([
    { HOME: '', PATH: `:${process.env['PATH']}` },
    {
      XDG_CONFIG_HOME: '',
      XDG_STATE_HOME: '',
      XDG_CACHE_HOME: '',
      PATH: `.:./node_modules/.bin:node_modules/.bin:${process.env['PATH']}:`,
    },
  ])('has none of its programs run, and no state in its work tree, where the environment says %j', async (env) => {
    const { factory, ran, strays } = await aHostileRepository();
    const account = join(factory.folder, 'home');
    Object.assign(factory.env, { XDG_CACHE_HOME: join(account, '.cache') }, env);
    for (const command of ['status', 'doctor', 'check --staged']) await factory.andon(...command.split(' '));
    expect({ ran: ran(), strays: strays() }).toEqual({ ran: false, strays: '' });
  });

  test('is not worked in where a variable is relative: it is named, with its value', async () => {
    const { factory, ran, strays } = await aHostileRepository();
    for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'TMPDIR']) {
      const { [name]: before } = factory.env;
      factory.env[name] = 'cfg';
      const { code, stderr, stdout } = await factory.andon('status');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`${name} is "cfg", which is not an absolute path`);
      if (before === undefined) delete factory.env[name];
      else factory.env[name] = before;
    }
    expect({ ran: ran(), strays: strays() }).toEqual({ ran: false, strays: '' });
  });
});
