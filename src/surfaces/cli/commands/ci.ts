import { findPlace } from '../../../wiring/open-place.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { mistake } from '../../../base/problem.ts';
import { report } from '../inspections.ts';
import { textOption } from '../options.ts';
import type { Invocation } from '../command.ts';

/** `andon ci`: applies the rules to everything that this branch changed since it left its base. */
export async function run(invocation: Invocation): Promise<number> {
  const base = await baseOf(invocation);
  return report(invocation, { look: { base }, surface: 'ci', phase: undefined, task: undefined });
}

/** The branch that this one will go into: as it was typed, as CI knows it, else the target. */
export async function baseOf({ options, cwd, env }: Invocation): Promise<string> {
  const named = textOption(options, 'base');
  if (named !== undefined && !isRevision(named))
    throw mistake(`--base ${inOneTerminalLine(named)} is not the name of a branch`, '--base main');
  return (named ?? pullRequestBase(env))?.replace(/^origin\//, '') ?? (await targetOf(cwd, env)) ?? 'main';
}

/** Where a pull request goes is what CI knows of it; the branch itself could name any other target. */
function pullRequestBase(env: NodeJS.ProcessEnv): string | undefined {
  const names = [env['GITHUB_BASE_REF'], env['CI_MERGE_REQUEST_TARGET_BRANCH_NAME']];
  return names.find((name) => name !== undefined && isRevision(name));
}

const targetOf = async (cwd: string, env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  (await findPlace(cwd, env)).settings.target;

/** Names of branches, tags and commits as people write them; nothing that git or a shell could take for more. */
function isRevision(name: string): boolean {
  return (
    /^[\p{L}\p{N}_][\p{L}\p{N}_./@+#-]*(?:[~^]\d*)*$/u.test(name) &&
    !/\.\.|@\{|\/\/|\.lock$|\/$/.test(name) &&
    name.length <= 250
  );
}
