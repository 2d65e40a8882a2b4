import { CONFIG, PIPELINE_CONFIG, RULEBOUND_CONFIG, type Settings } from '../config/config.ts';
import { readSettings } from '../config/read-settings.ts';
import type { Repository } from '../ports/repository.ts';
import { readInUse } from './configuration-in-use.ts';
import { openHolder } from './open-reader.ts';
import type { Workspace } from './load-workspace.ts';

/**
 * The settings of the line for commands that only show: what its target commits, or the checkout in a trial. Where they
 * cannot be read, those of the checkout.
 */
export async function committedSettings(
  place: Workspace,
  repository: Pick<Repository, 'target' | 'read'>,
): Promise<Settings> {
  const isTrial = readInUse(place)?.trial === true && openHolder(place)?.doing === 'watch';
  const target = isTrial ? undefined : await repository.target(place.settings.target);
  if (target === undefined || !target.ok) return place.settings;
  const read = await repository.read(target.value.commit, [CONFIG, RULEBOUND_CONFIG, PIPELINE_CONFIG]);
  const file = (name: string) => {
    const bytes = read.get(name);
    return { name, text: bytes === undefined ? undefined : new TextDecoder().decode(bytes) };
  };
  const user = { name: place.userConfig, text: place.userText };
  const settings = readSettings(file(CONFIG), user, place.facts.root, file(RULEBOUND_CONFIG), file(PIPELINE_CONFIG));
  return settings.ok ? settings.value : place.settings;
}
