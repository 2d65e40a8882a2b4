import { loadWorkspace } from '../../wiring/load-workspace.ts';
import { readTextOption } from './options.ts';
import { invalidValue } from './usage-errors.ts';
import type { Invocation } from './command.ts';

/** The branch that this one will go into: as it was typed, as CI knows it, else the target. */
export async function baseBranch({ options, cwd, env }: Invocation): Promise<string> {
  const named = readTextOption(options, 'base');
  if (named !== undefined && !isRevision(named))
    throw invalidValue('--base', named, 'the name of a branch', 'andon check --base main');
  return (named ?? pullRequestBase(env))?.replace(/^origin\//, '') ?? (await targetOf(cwd, env)) ?? 'main';
}

/** Where a pull request goes is what CI knows of it; the branch itself could name any other target. */
function pullRequestBase(env: NodeJS.ProcessEnv): string | undefined {
  const names = [env['GITHUB_BASE_REF'], env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME']];
  return names.find((name) => name !== undefined && isRevision(name));
}

const targetOf = async (cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  (await loadWorkspace(cwd, env)).settings.target;

/** Names of branches, tags and commits as people write them; nothing that git or a shell could take for more. */
function isRevision(name: string): boolean {
  return (
    /^[\p{L}\p{N}_][\p{L}\p{N}_./@+#-]*(?:[~^]\d*)*$/u.test(name) &&
    !/\.\.|@\{|\/\/|\.lock$|\/$/.test(name) &&
    name.length <= 250
  );
}
