import { CONFIG, RULEBOUND_CONFIG } from '../config/config.ts';
import { readSettings } from '../config/read-settings.ts';
import { withEnforcement, withRuleboundEnforcement } from '../config/edit-config.ts';
import type { EnforcementSettings } from '../config/enforcement-settings.ts';
import { writing } from '../base/cannot-write.ts';
import { Problem } from '../base/problem.ts';
import { doorTo } from '../wiring/files.ts';
import type { Place } from '../wiring/open-place.ts';
import { workTree } from '../wiring/project-files.ts';

/** Changes the enforcement mode in the project's file; returns the mode in force and the file. */
export function changeEnforcement(
  { facts: { root } }: Place,
  change: Partial<Pick<EnforcementSettings, 'mode' | 'scoreThreshold'>>,
): { readonly settings: EnforcementSettings; readonly file: string } {
  const name = configFile(root);
  const files = workTree(root);
  const before = files.text(name) ?? '';
  const isOurs = name === CONFIG;
  const edited = isOurs
    ? withEnforcement(before, { mode: change.mode, score_threshold: change.scoreThreshold })
    : withRuleboundEnforcement(before, change);
  if (!edited.ok)
    throw new Problem('bad-configuration', `${name} was not changed: ${edited.why}`, 'correct it by hand');
  const none = { name: '', text: undefined };
  const kept = { name: RULEBOUND_CONFIG, text: files.text(RULEBOUND_CONFIG) };
  const file = { name, text: edited.value };
  const read = readSettings(isOurs ? file : none, none, root, isOurs ? kept : file);
  if (!read.ok)
    throw new Problem('bad-configuration', `${name} was not changed: ${read.why[0] ?? ''}`, 'correct it by hand');
  writing(name, () => doorTo(root).write(name, edited.value));
  return { settings: read.value.enforcement, file: name };
}

/** The file in which this project says how hard its rules are enforced. */
export function configFile(root: string): string {
  const files = workTree(root);
  return files.text(CONFIG) === undefined && files.text(RULEBOUND_CONFIG) !== undefined ? RULEBOUND_CONFIG : CONFIG;
}
