import { faultInRules } from '../../inspection/rulebook/fault-in-rules.ts';
import { misnamed } from '../../inspection/rulebook/misnamed.ts';
import { rulebookFor } from '../../inspection/rulebook/rulebook.ts';
import type { Services } from '../../wiring/services.ts';
import { broken, poor, well } from './check.ts';
import type { Check } from './check.ts';

/** Whether the project's rules can be applied: with a fault in them no task gets past its contract. */
export async function examineRules(services: Services): Promise<readonly Check[]> {
  const wrong = await faultInRules(services);
  const unread = misnamed(services.root).map((what) => poor('rules', what, 'rename it, or remove it'));
  if (wrong !== undefined) return [broken('rules', wrong, '`andon rules lint` shows every fault'), ...unread];
  const { rules, files } = await rulebookFor(services.journal, services.root);
  return rules.length === 0 ? unread : [well('rules', `${rules.length} of ${files.length} files`), ...unread];
}
