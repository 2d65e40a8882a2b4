import { readIfThere, userConfigFile } from '../adapters/settings/places.ts';
import { CONFIG } from '../config/config.ts';
import { readSettings } from '../config/read-settings.ts';
import type { Settings } from '../config/config.ts';
import { Problem } from '../base/problem.ts';

/** What the user's own configuration says by itself, outside of every repository. */
export function readUserSettings(env: NodeJS.ProcessEnv): Settings {
  const name = userConfigFile(env);
  const settings = readSettings({ name: CONFIG, text: undefined }, { name, text: readIfThere(name) }, '/');
  if (settings.ok) return settings.value;
  throw new Problem('bad-configuration', settings.why, 'correct the file and try again');
}
