import { join } from 'node:path';
import { systemClock } from '../adapters/clock/system-clock.ts';
import { VARIABLES, notifiers } from '../adapters/notifier/notifiers.ts';
import { childEnvironment } from '../adapters/processes/environment.ts';
import { processRegistry } from '../adapters/processes/registry.ts';
import { processRunner } from '../adapters/processes/run.ts';
import { rememberSecrets } from '../base/known-secrets.ts';
import { secretValues } from '../config/secret-values.ts';
import type { Notifiers } from '../ports/notifier.ts';
import type { Settings } from '../config/config.ts';
import type { Place } from './open-place.ts';

/** The same while andon runs: opened again when the user's settings of notifications change. */
export function liveNotifiers(place: Place, env: NodeJS.ProcessEnv, settings: () => Settings): () => Notifiers {
  let open: { readonly key: string; readonly notifiers: Notifiers } | undefined;
  return () => {
    const now = settings();
    const key = JSON.stringify(now.notifications);
    if (open?.key !== key) open = { key, notifiers: openNotifiers({ ...place, settings: now }, env) };
    return open.notifiers;
  };
}

/** The ways to tell you of events that lead out of the terminal, as you configured them and as this machine has them. */
export function openNotifiers({ settings, state }: Place, env: NodeJS.ProcessEnv, register = 'running'): Notifiers {
  rememberSecrets(secretValues(settings, env));
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const visible = childEnvironment({ ...env, PATH: env['ANDON_PATH'] ?? env['PATH'] }, VARIABLES);
  return notifiers(settings.notifications, { run, folder: state, env: visible }, env);
}
