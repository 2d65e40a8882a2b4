import { join } from 'node:path';
import { systemClock } from '../adapters/clock/system-clock.ts';
import { VARIABLES, notifiers } from '../adapters/notifier/notifiers.ts';
import { childEnvironment } from '../adapters/processes/environment.ts';
import { processRegistry } from '../adapters/processes/registry.ts';
import { processRunner } from '../adapters/processes/run.ts';
import type { Notifiers } from '../ports/notifier.ts';
import type { Place } from './open-place.ts';

/** The ways to tell you of events that lead out of the terminal, as you configured them and as this machine has them. */
export function openNotifiers({ settings, state }: Place, env: NodeJS.ProcessEnv, register = 'running'): Notifiers {
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const visible = childEnvironment({ ...env, PATH: env['ANDON_PATH'] ?? env['PATH'] }, VARIABLES);
  return notifiers(settings.notifications, { run, folder: state, env: visible }, env);
}
