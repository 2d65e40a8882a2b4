import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import type { Settings } from '../../project/config/read-settings.ts';
import { computeConfigurationStamp } from './configuration-gaps.ts';
import { readIfThere } from '../../project/folders/user-folders.ts';
import { readCheckout, type Workspace } from '../../project/workspace/load-workspace.ts';

/**
 * The place of a process that stays and works with the checkout: its `settings` are read again when a file has changed. A
 * file with a fault is reported once, and the settings before it stay.
 */
export function openLiveWorkspace(place: Workspace, say: (text: string) => void): Workspace {
  const { facts, userConfig } = place;
  let { settings, userText } = place;
  let seen: string | undefined;
  const settingsNow = (): Settings => {
    try {
      const text = readIfThere(userConfig);
      const stamp = JSON.stringify([text, computeConfigurationStamp(facts.root)]);
      if (stamp === seen) return settings;
      seen = stamp;
      const read = readCheckout(facts.root, { name: userConfig, text });
      if (read.ok) [settings, userText] = [read.value, text];
      else say(`the configuration stays as it was: ${toTerminalLine(read.why[0] ?? '', 400)}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      say(`the configuration stays as it was: ${toTerminalLine(error.message, 400)}`);
    }
    return settings;
  };
  return Object.defineProperties(
    { ...place },
    {
      settings: { get: settingsNow, enumerable: true },
      userText: { get: () => (settingsNow(), userText), enumerable: true },
    },
  );
}
