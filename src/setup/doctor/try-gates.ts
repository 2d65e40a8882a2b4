import { gateKey, type TaskGate } from '../../contract/gate.ts';
import { readSettings } from '../../config/read-settings.ts';
import { Stopped } from '../../daemon/journal/step-journal.ts';
import { listProjectGates, runOnBase } from '../../daemon/gates/run-gates.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { NO_JOURNAL } from '../../wiring/open-journal.ts';
import { buildServices } from '../../wiring/open-services.ts';
import { describeFailedRun } from './gates.ts';

/** How long `init` tries the gates that it found. */
export const TRIAL_MINUTES = 5;

/** What a trial of gates on the base showed. */
export interface GateTrial {
  /** Why a gate is not green, by its name. */
  readonly notGreen: ReadonlyMap<string, string>;
  /** What gates must run that are green only behind the build, by name. */
  readonly behindBuild: ReadonlyMap<string, string>;
  /** Why gates were not tried. */
  readonly untried?: string;
}

/** Runs the gates of a configuration page on the target branch. Nothing of it is committed, so the page is given as text. */
export async function tryGates(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  page: string,
  tell: (doing: string) => void,
): Promise<GateTrial> {
  const notGreen = new Map<string, string>();
  const behindBuild = new Map<string, string>();
  const read = readSettings({ name: '', text: page }, { name: '', text: undefined }, '/');
  if (!read.ok) return { notGreen, behindBuild };
  const built = await buildServices(
    place,
    env,
    (news) => news.kind === 'word' && tell(news.text),
    NO_JOURNAL,
    'examining',
  );
  const { setup, share, gates } = read.value;
  const services = { ...built, settings: { ...built.settings, setup, share, gates } };
  const target = await services.repository.target(undefined);
  if (!target.ok) return { notGreen, behindBuild, untried: `gates were not tried: ${target.why}` };
  const signal = AbortSignal.timeout(TRIAL_MINUTES * 60_000);
  try {
    const found = listProjectGates(services);
    const runGate = (gate: TaskGate) =>
      runOnBase(services, { taskId: 'doctor', base: target.value.commit, gates: [gate], consents: [] }, signal);
    for (const gate of found) {
      tell(`gate ${gate.name} on the base`);
      const runs = await runGate(gate);
      if (!runs.ok && isAboutGate(runs.why)) notGreen.set(gate.name, runs.why);
      else if (!runs.ok)
        return {
          notGreen,
          behindBuild,
          untried: `gates were not tried: ${runs.why.replace('\n', '. To correct it: ')}`,
        };
      const run = runs.ok ? runs.value.get(gateKey(gate)) : undefined;
      if (run === undefined || run.outcome === 'green') continue;
      const build = found.find(({ name }) => name === 'build' && name !== gate.name && !notGreen.has(name));
      const behind = build === undefined ? undefined : { ...gate, run: `${build.run} && ${gate.run}` };
      if (behind !== undefined) tell(`gate ${gate.name} on the base, behind the build`);
      const again = behind === undefined ? undefined : await runGate(behind);
      const isGreen =
        behind !== undefined && again?.ok === true && again.value.get(gateKey(behind))?.outcome === 'green';
      if (isGreen) behindBuild.set(gate.name, behind.run);
      else notGreen.set(gate.name, describeFailedRun(run));
    }
    return { notGreen, behindBuild };
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return {
      notGreen,
      behindBuild,
      untried: `not every gate was tried within ${TRIAL_MINUTES} minutes: run \`andon doctor\``,
    };
  } finally {
    services.folders.tidy('doctor');
  }
}

/** A gate that cannot be run by itself; what `setup`, `share` or the cage lacks concerns every gate. */
const isAboutGate = (why: string): boolean => / ended with 12[67] \(not runnable\)|did not end within/.test(why);
