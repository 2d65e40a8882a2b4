import {
  CONFIG,
  RULEBOUND_CONFIG,
  readSettings,
  type EnforcementSettings,
} from '../../project/config/read-settings.ts';
import { withEnforcement, withRuleboundEnforcement } from '../../project/config/edit-config.ts';
import { withWriteErrors } from '../../base/with-write-errors.ts';
import { Problem } from '../../base/problem.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openWorkTree } from './project-files.ts';

/** Changes the enforcement mode in the project's file; returns the mode in force and the file. */
export function changeEnforcement(
  { facts: { root } }: Workspace,
  change: Partial<Pick<EnforcementSettings, 'mode' | 'scoreThreshold'>>,
): { readonly settings: EnforcementSettings; readonly file: string } {
  const name = findConfigFile(root);
  const files = openWorkTree(root);
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
  withWriteErrors(name, () => openDir(root).write(name, edited.value));
  return { settings: read.value.enforcement, file: name };
}

/** The file in which this project says how hard its rules are enforced. */
export function findConfigFile(root: string): string {
  const files = openWorkTree(root);
  return files.text(CONFIG) === undefined && files.text(RULEBOUND_CONFIG) !== undefined ? RULEBOUND_CONFIG : CONFIG;
}
