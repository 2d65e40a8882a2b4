import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Signer, readSigning } from '../../../../src/project/git/read-signing.ts';
import { hasProgram } from '../../../support/has-program.ts';
import { isAlive } from '../../../support/processes.ts';
import { aRepository, gitThatDies, plan, type Here } from './a-repository.ts';

/** The user's own configuration; a test's home is not that of whoever runs it. */
function configured(here: Here, text: string): void {
  const file = join(dirname(here.root), 'gitconfig');
  writeFileSync(file, text);
  vi.stubEnv('GIT_CONFIG_GLOBAL', file);
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** Signs with a program that does this. */
function aSigner(script: string, limitMs: number): { readonly here: Here; readonly signer: Signer } {
  const here = aRepository();
  const program = join(dirname(here.root), 'gpg');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  configured(here, `[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${program}\n`);
  const vault = join(dirname(here.root), 'vault.git');
  mkdirSync(vault);
  return { here, signer: new Signer({ root: here.root, commonDir: here.path('.git') }, vault, limitMs) };
}

describe('A signature of the user’s own git', () => {
  it('is not waited for without end: the program that asks is ended, with all it started', async () => {
    const { here, signer } = aSigner('sleep 600 & echo $! >"$(dirname "$0")/pid"; wait', 500);
    const tree = here.git('rev-parse', 'HEAD^{tree}');
    await expect(signer.sign(tree, plan(here.git('rev-parse', 'HEAD')))).rejects.toThrow(
      'git could not sign the commit: it was ended after 0.5 s without an answer',
    );
    const pid = Number(readFileSync(join(dirname(here.root), 'pid'), 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(existsSync(here.path('.git/index.lock'))).toBe(false);
  });

  it('has no terminal to ask at', async () => {
    const { here, signer } = aSigner(
      'if (: </dev/tty) 2>/dev/null; then sleep 600; fi; echo no key >&2; exit 1',
      60_000,
    );
    await expect(signer.sign(here.git('rev-parse', 'HEAD^{tree}'), plan())).rejects.toThrow(
      'git could not sign the commit: gpg failed to sign the data',
    );
  });

  it.skipIf(!hasProgram('gpg'))(
    'is made by gpg with the key of the committer, where no format is set (needs gpg)',
    async () => {
      const here = aRepository();
      const home = mkdtempSync('/tmp/gpg-'); // the path of a socket in it may not be long
      const gpg = (...words: string[]): string =>
        execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', ...words], { stdio: 'pipe' }).toString();
      onTestFinished(() => {
        spawnSync('gpgconf', ['--homedir', home, '--kill', 'all']);
        rmSync(home, { recursive: true, force: true });
      });
      gpg('--passphrase', '', '--quick-gen-key', 'Erik <erik@example.org>', 'ed25519', 'sign', 'never');
      configured(here, '[commit]\n\tgpgSign = true\n[user]\n\tname = Erik\n\temail = erik@example.org\n');
      vi.stubEnv('GNUPGHOME', home);
      const repository = await here.open();
      const signing = await repository.signing('refs/heads/main');
      const [head, tree] = [here.git('rev-parse', 'HEAD'), here.git('rev-parse', 'HEAD^{tree}')];
      expect(
        await repository.trySigning(tree, { ...signing, verifies: true }, 'Erik <erik@example.org>'),
      ).toBeUndefined();
      expect(await repository.trySigning(tree, signing, 'Jo <jo@example.org>')).toContain('could not sign');
      const commit = await repository.commitTree(tree, {
        ...plan(head),
        committer: 'Erik <erik@example.org>',
        sign: true,
      });
      await repository.publish([{ ref: 'refs/heads/signed', old: undefined, to: commit }]);
      expect(here.git('cat-file', '-p', 'signed')).toMatch(/^author andon <andon@localhost> [^]*BEGIN PGP SIGNATURE/m);
    },
  );

  it.each([
    ['nothing is set', '', '', { signs: false, verifies: false, format: 'openpgp', user: undefined }],
    [
      'you sign everything',
      '[commit]\n\tgpgSign\n[gpg]\n\tformat = ssh\n[user]\n\tname = Er<ik\n\temail = e@x.org\n',
      '',
      { signs: true, verifies: false, format: 'ssh', user: 'Erik <e@x.org>' },
    ],
    ['this repository does not', '[commit]\n\tgpgSign = yes\n', '[commit]\n\tgpgSign = off\n', { signs: false }],
    [
      'only the repository names a program',
      '[commit]\n\tgpgSign = 1\n',
      '[gpg "ssh"]\n\tprogram = x\n',
      { signs: false, ignoredProgram: 'gpg.ssh.program' },
    ],
    [
      'a branch merges what is signed',
      '',
      '[branch "main"]\n\tmergeOptions = --verify-signatures\n',
      { verifies: true },
    ],
    ['another branch does', '', '[branch "other"]\n\tmergeOptions = --verify-signatures\n', { verifies: false }],
  ])('is what the configuration says (%s)', async (_what, global, local, expected) => {
    const here = aRepository();
    configured(here, global);
    writeFileSync(here.path('.git/config'), `${readFileSync(here.path('.git/config'), 'utf8')}${local}`);
    expect(await readSigning(here.root, 'refs/heads/main')).toMatchObject(expected);
  });

  it('is not left out because git could not read what is configured', async () => {
    const here = aRepository();
    configured(here, '[commit]\n\tgpgSign = true\n[merge]\n\tverifySignatures = true\n');
    gitThatDies(here.root, 'true', 'kill -9 $$', 'config');
    await expect(readSigning(here.root, 'refs/heads/main')).rejects.toThrow('git was killed');
    vi.unstubAllEnvs();
  });

  it('is read again when a file of the configuration changes, and when one of them includes another', async () => {
    const here = aRepository();
    const [home, included] = [join(dirname(here.root), 'home'), join(dirname(here.root), 'included')];
    mkdirSync(home);
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', join(home, '.config'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const signs = async (): Promise<boolean> => (await readSigning(here.root, 'refs/heads/main')).signs;
    const write = (text: string): void => writeFileSync(join(home, '.gitconfig'), text);
    expect(await signs()).toBe(false);
    write('[commit]\n\tgpgSign = true\n');
    expect(await signs()).toBe(true);
    write(`[include]\n\tpath = ${included}\n`);
    expect(await signs()).toBe(false);
    writeFileSync(included, '[commit]\n\tgpgSign = true\n');
    expect(await signs()).toBe(true);
  });
});
