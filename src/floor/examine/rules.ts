import { misnamed } from '../misnamed.ts';
import { rulebookFor } from '../rulebook.ts';
import type { World } from '../world.ts';
import { broken, poor, well } from './check.ts';
import type { Check } from './check.ts';

/** Whether the project's rules can be applied: with a fault in them no task gets past its contract. */
export async function examineRules(world: World): Promise<readonly Check[]> {
  const wrong = await faultInRules(world);
  const unread = misnamed(world.root).map((what) => poor('rules', what, 'rename it, or remove it'));
  if (wrong !== undefined) return [broken('rules', wrong, '`andon rules lint` shows every fault'), ...unread];
  const { rules, files } = await rulebookFor(world.journal, world.root);
  return rules.length === 0 ? unread : [well('rules', `${rules.length} of ${files.length} files`), ...unread];
}

/** The first fault of the project's rules in words; undefined when they are sound. */
export async function faultInRules(world: World): Promise<string | undefined> {
  const { faults } = await rulebookFor(world.journal, world.root);
  const [first] = faults;
  if (first === undefined) return undefined;
  const { source, message } = first;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  return `${source.name}${source.line === undefined ? '' : `:${source.line}`}: ${message}${more}`;
}
