import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { stringify } from 'yaml';
import { placeOfAndon } from '../wiring/own-files.ts';
import { makeRepository } from '../wiring/sample-project.ts';
import { sampleProject } from './sample-project.ts';

/** A sample repository with state, configuration and stand-in agents of its own, all in one temporary folder. */
interface SamplePlace {
  readonly folder: string;
  readonly repository: string;
  /** What the stand-ins answer, and the folder of their programs and signals. */
  readonly scenario: string;
  readonly agents: string;
  /** The environment in which andon finds its state and configuration there. */
  readonly env: NodeJS.ProcessEnv;
  /** Writes the user's configuration there anew, with these keys besides the usual ones. */
  configure(more: object): void;
  remove(): void;
}

/** What a sample place is made of; `caged` says whether its gates run in the cage. */
interface Sample {
  readonly called: string;
  readonly files: ReadonlyMap<string, string>;
  readonly scenario: object;
  readonly caged: boolean;
  /** Further keys of the user's configuration there. */
  readonly config?: object | undefined;
}

/** Makes the demo's place; `caged` says whether the demo's own gates run in the cage. */
export function makeDemoPlace(env: NodeJS.ProcessEnv, caged: boolean): Promise<SamplePlace> {
  const { files, agents } = sampleProject();
  return makeSamplePlace(env, { called: 'demo', files: new Map(Object.entries(files)), scenario: agents, caged });
}

/** Makes a place in which the line can run for real without touching anything of yours: for the demo and the drills. */
export async function makeSamplePlace(env: NodeJS.ProcessEnv, sample: Sample): Promise<SamplePlace> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `andon-${sample.called}-`)));
  const [repository, agents] = [join(folder, 'Project-A'), join(folder, 'agents')];
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  await makeRepository(repository, sample.files).catch((error: unknown) => {
    remove();
    throw error;
  });
  const scenarioFile = join(agents, 'scenario.json');
  mkdirSync(agents, { recursive: true });
  writeFileSync(scenarioFile, JSON.stringify(sample.scenario, null, 2));
  const standIns = join(placeOfAndon(), 'stand-ins');
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
  const configure = (more: object | undefined): void => writeFileSync(configFile, stringify({ ...config, ...more }));
  mkdirSync(dirname(configFile), { recursive: true });
  configure(sample.config);
  return {
    folder,
    repository,
    scenario: scenarioFile,
    agents,
    configure,
    env: { ...env, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state') },
    remove,
  };
}
