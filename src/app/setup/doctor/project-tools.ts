import { findProjectTools } from '../../../line/gates/prepare-gate-tree.ts';
import type { ProjectTool } from '../../../sandbox/cage.ts';
import type { Needs } from '../../../line/services/services.ts';
import { passedCheck, warningCheck, TRIAL_RUN, type DoctorCheck } from './check.ts';

/** The versions of Node.js and Python that the repository asks for; nothing where it asks for none. */
export async function checkProjectTools(
  services: Needs<'cage' | 'folders' | 'repository'>,
  commit: string,
): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = [];
  for (const tool of await findProjectTools(services, commit)) checks.push(await checkTool(services, tool));
  return checks;
}

async function checkTool(services: Needs<'cage' | 'folders'>, tool: ProjectTool): Promise<DoctorCheck> {
  const { name, version, source, folder, installed } = tool;
  const title = `${name} of gates`;
  if (folder !== undefined) return passedCheck(title, `${installed ?? version} in ${folder} (${source})`);
  const onPath = await readVersionOnPath(services, name);
  if (onPath !== undefined && services.cage.tools?.fits(onPath, version) === true)
    return passedCheck(title, `${onPath} on PATH (${source})`);
  return warningCheck(
    title,
    `${source} asks for ${version}, which is not installed here; gates use ${onPath ?? 'none'} of PATH`,
    adviseInstallation(tool),
  );
}

/** The version that a gate finds on PATH, such as `v22.1.0`. */
async function readVersionOnPath(
  { cage, folders }: Needs<'cage' | 'folders'>,
  name: ProjectTool['name'],
): Promise<string | undefined> {
  const program = name === 'python' ? 'python3' : name;
  const tree = folders.empty('doctor');
  const { exit, output } = await cage.run({ ...TRIAL_RUN, run: `${program} --version`, tree, timeoutMs: 20_000 });
  folders.tidy('doctor');
  return exit === 0 ? /v?\d+\.\d+\.\d+/.exec(output)?.[0] : undefined;
}

function adviseInstallation({ name, version, manager }: ProjectTool): string {
  const plugin = name === 'node' ? 'nodejs' : name;
  const commands: Readonly<Record<string, string>> = {
    nvm: `nvm install ${version}`,
    fnm: `fnm install ${version}`,
    volta: `volta install node@${version}`,
    mise: `mise install ${name}@${version}`,
    asdf: `asdf install ${plugin} ${version}`,
    nodenv: `nodenv install ${version}`,
    n: `n ${version}`,
    pyenv: `pyenv install ${version}`,
    uv: `uv python install ${version}`,
  };
  const command = commands[manager ?? ''];
  if (command !== undefined) return `install it: \`${command}\``;
  return name === 'node'
    ? `install nvm (https://github.com/nvm-sh/nvm), then run \`nvm install ${version}\``
    : `install uv (https://docs.astral.sh/uv), then run \`uv python install ${version}\``;
}
