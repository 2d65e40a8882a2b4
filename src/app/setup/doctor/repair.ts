import { existsSync, realpathSync, statSync } from 'node:fs';
import { replaceFile } from '../../../base/system/durable.ts';
import { readSettings } from '../../../project/config/read-settings.ts';
import { withModel } from '../../../project/config/edit-config.ts';
import type { LocalModels } from '../../../agents/agent.ts';
import { readUserConfig } from '../../../project/workspace/files.ts';
import { NO_JOURNAL } from '../../../line/journal/open-journal.ts';
import { openHolder } from '../../../project/workspace/open-reader.ts';
import { buildServices } from '../../../line/services/open-services.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { computeWantedWindow, listWorkers } from './examine-agents.ts';
import { DOCTOR_PLACE } from './doctor-check.ts';

/** Something that was put right, or could not be. */
export interface Repair {
  readonly done: boolean;
  readonly text: string;
}

/** Puts right what is safe to put right: `_handoff/`, and models whose window is too small for their role. Nothing is pulled. */
export async function repair(place: Workspace, env: NodeJS.ProcessEnv): Promise<readonly Repair[]> {
  const services = await buildServices(place, env, () => {}, NO_JOURNAL, 'examining');
  const repairs: Repair[] = [];
  if (!services.handoff.exists('.gitignore')) {
    services.handoff.prepare();
    repairs.push({ done: true, text: `made ${services.handoff.folder} with a .gitignore of its own` });
  }
  const models = services.agents.ollama.localModels;
  if (models === undefined || !(await models.ready()).ok) return repairs;
  const needed = new Map<string, number>();
  for (const one of listWorkers(services).local)
    needed.set(one.model, Math.max(one.needed, needed.get(one.model) ?? 0));
  for (const [model, tokens] of needed) {
    const wanted = await windowToMake(models, model, tokens);
    if (wanted === undefined) continue;
    const made = await models.derive(model, wanted, services.folders.empty(DOCTOR_PLACE));
    if (!made.ok) {
      repairs.push({
        done: false,
        text: `a model with a larger window for ${model}: ${made.why.why}; ${made.why.remedy}`,
      });
      continue;
    }
    repairs.push({
      done: true,
      text: `made the model ${made.value} from ${model}: window ${wanted}, temperature 0 (it takes more memory; \`ollama rm ${made.value}\` removes it)`,
    });
    repairs.push(useModel(place, model, made.value));
  }
  services.folders.tidy(DOCTOR_PLACE);
  return repairs;
}

/** The window that a model is to be given; undefined where that is not needed, or would not help. */
async function windowToMake(models: LocalModels, model: string, needed: number): Promise<number | undefined> {
  const found = await models.window(model, { load: false });
  if (!found.ok) return models.standingFor(model) === model ? undefined : needed; // its stand-in is gone
  const { tokens, known, asks, largest } = found.value;
  const wanted = computeWantedWindow(needed, largest);
  return tokens >= wanted || (known === 'loaded' && (asks ?? 0) >= wanted) ? undefined : wanted;
}

/** Writes a model replacement into the user's own configuration. */
function useModel(place: Workspace, model: string, standing: string): Repair {
  const file = place.userConfig;
  const root = place.facts.root;
  const edited = withModel(readUserConfig(place) ?? '', { root, model, standing });
  const settings = edited.ok
    ? readSettings({ name: '', text: undefined }, { name: file, text: edited.value.text }, root)
    : edited;
  if (!edited.ok || !settings.ok || settings.value.ollama.models[model] !== standing)
    return {
      done: false,
      text: `${file} could not be added to${edited.ok ? '' : `: ${edited.why}`}; write \`agents: {ollama: {models: {${model}: ${standing}}}}\` into it`,
    };
  replaceConfig(file, edited.value.text);
  const restart = openHolder(place) === undefined ? '' : '; the andon that runs here reads it when it is started again';
  return { done: true, text: `wrote into ${file}: ${edited.value.key} = ${standing}${restart}` };
}

/** A link stays a link, and the file as private as it was. */
function replaceConfig(file: string, text: string): void {
  const real = existsSync(file) ? realpathSync(file) : file;
  replaceFile(real, text, () => true, existsSync(real) ? statSync(real).mode & 0o777 : 0o600);
}
