import { Problem } from '../../base/problem.ts';
import type { CommitPlan } from './repository-facts.ts';
import { copyToVault } from './changes.ts';
import { tryGit, type GitResult } from './run-git.ts';
import { describeGitRefusal } from './describe-git-refusal.ts';
import { findGitDir } from './operation-in-progress.ts';
import { readGitConfig, usersGit } from './git-config.ts';

/** The signature settings of the user's own git. */
interface Signing {
  /** Commits are signed (`commit.gpgSign`). */
  readonly signs: boolean;
  /**
   * They should be signed, but only the repository's own configuration names the program (this key), and it is never
   * run.
   */
  readonly ignoredProgram?: string;
  /** Only signed commits are merged (`merge.verifySignatures`). */
  readonly verifies: boolean;
  /** A key of unknown trust is enough (`gpg.minTrustLevel` is set). */
  readonly trusts: boolean;
  readonly format: string;
  /** user.name and user.email as `Name <email>`; undefined where one is missing. */
  readonly user: string | undefined;
}

/** The signature settings of the user's git in this checkout; `ref` is the target branch. */
export async function readSigning(root: string, ref: string): Promise<Signing> {
  const rows = await readGitConfig(root);
  const last = (key: string): string | undefined => rows.findLast((row) => row.key === key)?.value;
  const own = rows.find(({ scope, key }) => (scope === 'local' || scope === 'worktree') && PROGRAM.test(key));
  const signs = isTrue(last('commit.gpgsign'));
  const options = last(`branch.${ref.replace('refs/heads/', '')}.mergeoptions`)?.split(/\s+/) ?? [];
  const [name, email] = [last('user.name'), last('user.email')];
  return {
    signs: signs && own === undefined,
    ...(signs && own !== undefined ? { ignoredProgram: own.key } : {}),
    verifies: isTrue(last('merge.verifysignatures')) || options.includes('--verify-signatures'),
    trusts: last('gpg.mintrustlevel') !== undefined,
    format: last('gpg.format') ?? 'openpgp',
    user: name === undefined || email === undefined ? undefined : `${plain(name)} <${plain(email)}>`,
  };
}

/** Keys that name a program; those of the repository's own configuration are never run. */
const PROGRAM = /^gpg\.(?:.+\.)?(?:program|defaultkeycommand)$/;

const plain = (text: string): string => text.replace(/[<>\p{C}]/gu, '').trim();

const isTrue = (value: string | undefined): boolean => /^(?:true|yes|on|[1-9]\d*)$/i.test(value ?? '');

/** A program that asks for a passphrase without a terminal may wait forever. */
const LIMIT_MS = 60_000;
/** A key may be locked or unlocked later. */
const GOOD_HOLDS_MS = 600_000;
const BAD_HOLDS_MS = 60_000;

/** Signs commits of the vault as the user's own git does: with their key, format and program. */
export class Signer {
  private trial: { readonly what: string; readonly at: number; readonly why: string | undefined } | undefined;
  private readonly gitDir: string;
  private readonly objects: Readonly<Record<string, string>>;
  private readonly limitMs: number;

  constructor(
    { root, commonDir }: { readonly root: string; readonly commonDir: string },
    vault: string,
    limitMs = LIMIT_MS,
  ) {
    this.gitDir = findGitDir(root);
    this.objects = copyToVault(vault, commonDir);
    this.limitMs = limitMs;
  }

  /** Writes a signed commit. Throws a Problem with git's words; a program that waits for a passphrase is ended. */
  async sign(tree: string, { parents, author, committer = author, at, message }: CommitPlan): Promise<string> {
    const made = await this.git(
      ['commit-tree', '-S', ...parents.flatMap((parent) => ['-p', parent]), tree],
      { ...identity('AUTHOR', author, at), ...identity('COMMITTER', committer, at) },
      message.replaceAll('\0', '\ufffd'),
    );
    const commit = made.stdout.toString('utf8').trim();
    if (made.code === 0 && commit !== '') return commit;
    throw new Problem(
      'conflict',
      `git could not sign the commit: ${describeGitRefusal(made.stderr)}`,
      SIGNING_REMEDY,
      1,
    );
  }

  /**
   * Why a signed commit could not land; undefined where it could. The answer is cached for a while: a key may ask its
   * owner.
   */
  async try(tree: string, signing: Signing, committer: string): Promise<string | undefined> {
    const what = JSON.stringify([signing, committer]);
    const { trial } = this;
    const holds = trial?.why === undefined ? GOOD_HOLDS_MS : BAD_HOLDS_MS;
    if (trial?.what === what && performance.now() - trial.at < holds) return trial.why;
    const why = await this.tryNow(tree, signing, committer);
    this.trial = { what, at: performance.now(), why };
    return why;
  }

  private async tryNow(tree: string, signing: Signing, author: string): Promise<string | undefined> {
    const plan = { parents: [], message: 'A trial of the signature\n', at: '2000-01-01T00:00:00Z', author };
    try {
      const commit = await this.sign(tree, plan);
      return signing.verifies ? await this.whyNotVerified(commit, signing) : undefined;
    } catch (error) {
      if (error instanceof Problem) return error.message;
      throw error;
    }
  }

  private async whyNotVerified(commit: string, { trusts }: Signing): Promise<string | undefined> {
    const result = await this.git(['log', '--no-show-signature', '-1', '--format=%G?', commit, '--']);
    const state = result.stdout.toString('utf8').trim();
    if (state === 'G' || (state === 'U' && trusts)) return undefined;
    const words = describeGitRefusal(result.stderr);
    return `git does not verify its own signature here (%G? is ${state || 'empty'}${words === '' ? '' : `: ${words}`})`;
  }

  private git(args: readonly string[], env: Readonly<Record<string, string>> = {}, input = ''): Promise<GitResult> {
    return tryGit(args, {
      gitDir: this.gitDir,
      input,
      limitMs: this.limitMs,
      env: { ...signersEnvironment(), ...this.objects, ...env },
    });
  }
}

const SIGNING_REMEDY =
  'make the key usable without a question (an agent that holds it), or git config commit.gpgSign false in this repository';

const identity = (kind: 'AUTHOR' | 'COMMITTER', who: string, at: string): Record<string, string> => {
  const [, name = '', email = ''] = /^(.*) <(.*)>$/.exec(who) ?? [];
  return {
    [`GIT_${kind}_NAME`]: name,
    [`GIT_${kind}_EMAIL`]: email,
    [`GIT_${kind}_DATE`]: `@${Math.floor(Date.parse(at) / 1000)} +0000`,
  };
};

/** A signing program sees its variables of the user's shell (agent, home), but no terminal. */
const signersEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'PATH' && !name.startsWith('GIT_'))),
  ...usersGit(),
  LC_ALL: 'C',
  GPG_TTY: undefined,
  SSH_ASKPASS_REQUIRE: 'never',
});
