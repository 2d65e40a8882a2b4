import { parse } from 'yaml';
import { projectSchema } from '../../../src/project/config/config-schema.ts';
import { standardMessages, type MessageSettings } from '../../../src/project/config/message-settings.ts';
import type { Facts } from '../run-cases.ts';

/** Refuses a row with a key that its runner does not know: it would pass unread. */
export function onlyKnown(input: Facts, known: readonly string[]): void {
  const unknown = Object.keys(input).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Error(`the runner does not know ${unknown.join(', ')}; known: ${known.join(', ')}`);
}

/** The settings of one guard with what a row says of it, under the names of the configuration. */
export function settingsOf(
  part: 'response_validator' | 'review_gate' | 'scope_guard' | 'todo_tracker',
  row: Facts,
): MessageSettings {
  const said = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
  return projectSchema().parse({ enforcement: { [part]: said } }).enforcement;
}

/** The settings that a YAML block makes; a block with or without its `enforcement:`. */
export function settingsFrom(yaml: unknown): MessageSettings {
  if (typeof yaml !== 'string') return standardMessages();
  const read = parse(yaml) as Facts | null;
  return projectSchema().parse({ enforcement: read?.['enforcement'] ?? read ?? {} }).enforcement;
}
