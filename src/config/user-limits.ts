import { failure, success } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';
import { checkConfig, parseConfig } from './config-file.ts';
import type { ConfigFile } from './config-file.ts';
import { userSchema } from './user-schema.ts';
import type { Settings } from './config.ts';
import { toCeilings, toHours } from './night-settings.ts';

/** What a user allows over all repositories: when something may be at work, and what all of it may use. */
export type UserLimits = Pick<Settings, 'hours' | 'ceilings'>;

/**
 * Reads the limits of a user's own configuration while something is at work already. The whole file must be well, and say
 * something: one that is gone or empty may just be being saved, and would lift every ceiling. Pure.
 */
export function readLimits(user: ConfigFile): Outcome<UserLimits, readonly string[]> {
  if (user.text === undefined) return failure([`${user.name} is gone`]);
  if (user.text.trim() === '') return failure([`${user.name} is empty`]);
  const faults: string[] = [];
  const written = checkConfig(userSchema, parseConfig(user, faults), user.name, faults);
  if (faults.length > 0 || written === undefined) return failure(faults);
  return success({ hours: toHours(written.hours), ceilings: toCeilings(written.ceilings) });
}
