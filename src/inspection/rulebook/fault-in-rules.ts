import { rulebookFor } from './rulebook.ts';
import type { Services } from '../../wiring/services.ts';

/** The first fault of the project's rules in words; undefined when they are sound. */
export async function faultInRules(services: Services): Promise<string | undefined> {
  const { faults } = await rulebookFor(services.journal, services.root);
  const [first] = faults;
  if (first === undefined) return undefined;
  const { source, message } = first;
  const more = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  return `${source.name}${source.line === undefined ? '' : `:${source.line}`}: ${message}${more}`;
}
