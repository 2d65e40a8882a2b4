import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { stringify } from 'yaml';
import { installRoot, shippedText } from '../../base/system/install-root.ts';
import { explainNoCage } from '../../line/services/open-services.ts';
import { createRepository } from '../../project/git/create-repository.ts';
import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { checkConfig, parseConfig } from '../../project/config/config-file.ts';

/** `caged`: whether gates run in the sandbox. */
interface Sample {
  readonly called: string;
  readonly files: ReadonlyMap<string, string>;
  readonly scenario: object;
  readonly caged: boolean;
}

/** Why gates cannot run in the sandbox on this machine; undefined when they can. */
export async function explainUncaged(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const scratch = mkdtempSync(join(tmpdir(), 'andon-cage-'));
  try {
    return await explainNoCage(env, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export function makeDemoPlace(env: NodeJS.ProcessEnv, caged: boolean) {
  const { files, agents } = sampleProject();
  return makeSamplePlace(env, { called: 'demo', files: new Map(Object.entries(files)), scenario: agents, caged });
}

/** Creates a repository with its own state, configuration and stand-in agents, all in one temporary folder: for the demo and the drills. */
export async function makeSamplePlace(env: NodeJS.ProcessEnv, sample: Sample) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `andon-${sample.called}-`)));
  const [repository, agents] = [join(folder, 'Project-A'), join(folder, 'agents')];
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  await createRepository(repository, sample.files).catch((error: unknown) => {
    remove();
    throw error;
  });
  const scenarioFile = join(agents, 'scenario.json');
  mkdirSync(agents, { recursive: true });
  writeFileSync(scenarioFile, JSON.stringify(sample.scenario, null, 2));
  const standIns = join(installRoot(), 'stand-ins');
  const program = (name: string) => {
    symlinkSync(join(standIns, name), join(agents, name));
    return {
      program: join(agents, name),
      env: { ANDON_SCENARIO: scenarioFile, PATH: `${dirname(process.execPath)}${delimiter}${env['PATH'] ?? ''}` },
    };
  };
  const config = {
    cage: sample.caged ? 'bubblewrap' : 'none',
    agents: { ollama: program('ollama'), claude: program('claude') },
    notifications: { desktop: false },
  };
  const configFile = join(folder, 'config', 'andon', 'config.yaml');
  mkdirSync(dirname(configFile), { recursive: true });
  writeFileSync(configFile, stringify(config));
  return {
    folder,
    repository,
    /** The script of the stand-ins; their programs and signals are in its folder. */
    scenario: scenarioFile,
    agents,
    env: { ...env, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') },
    remove,
  };
}

const contract = () => z.looseObject({ task_id: z.string() });

/** The demo of `shipped/demo.yaml`: a sample project, three contracts and the script of the stand-ins. */
export const sampleProject = lazy(() =>
  readShipped('demo.yaml', () =>
    z.strictObject({
      files: z.record(z.string(), z.string()),
      /** The first and the third merge; the second asks for more than it allows. */
      contracts: z.strictObject({ first: contract(), second: contract(), third: contract() }),
      /** In the format of `stand-ins/README.md`. */
      agents: z.looseObject({}),
    }),
  ),
);

/**
 * Reads a YAML file of `shipped/`, expands its placeholders and validates it. Throws with file and position of every
 * fault. `text` replaces the file on disk.
 */
export function readShipped<Schema extends z.ZodType>(
  path: string,
  schemaOf: () => Schema,
  fill: (value: unknown, faults: string[]) => unknown = (value) => value,
  text: string = shippedText(path),
): z.infer<Schema> {
  const name = `shipped/${path}`;
  const faults: string[] = [];
  const unnamed: string[] = [];
  const value = fill(parseConfig({ name, text }, faults), unnamed) as Record<string, unknown>;
  faults.push(...unnamed.map((fault) => `${name}: ${fault}`));
  if (faults.length === 0 && Object.keys(value).length === 0) faults.push(`${name}: is empty`);
  const read = faults.length === 0 ? checkConfig(schemaOf, value, name, faults) : undefined;
  if (read === undefined) throw new Error(faults.join('\n'));
  return read;
}
