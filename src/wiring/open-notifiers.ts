import { join } from 'node:path';
import { systemClock } from '../adapters/clock/system-clock.ts';
import { VARIABLES, createNotifiers } from '../adapters/notifier/notifiers.ts';
import { buildChildEnvironment } from '../adapters/processes/environment.ts';
import { processRegistry } from '../adapters/processes/registry.ts';
import { processRunner } from '../adapters/processes/run.ts';
import { findUserPath } from '../base/base-folders.ts';
import { rememberSecrets } from '../base/known-secrets.ts';
import { collectSecretValues } from '../config/secret-values.ts';
import type { Notifiers } from '../ports/notifier.ts';
import type { Settings } from '../config/read-settings.ts';
import type { Workspace } from './load-workspace.ts';

/** The same while andon runs: opened again when the user's settings of notifications change. */
export function openLiveNotifiers(place: Workspace, env: NodeJS.ProcessEnv, settings: () => Settings): () => Notifiers {
  let open: { readonly key: string; readonly notifiers: Notifiers } | undefined;
  return () => {
    const now = settings();
    const key = JSON.stringify(now.notifications);
    if (open?.key !== key) open = { key, notifiers: openNotifiers({ ...place, settings: now }, env) };
    return open.notifiers;
  };
}

/** The ways to tell you of events that lead out of the terminal, as you configured them and as this machine has them. */
export function openNotifiers({ settings, state }: Workspace, env: NodeJS.ProcessEnv, register = 'running'): Notifiers {
  rememberSecrets(collectSecretValues(settings, env));
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const visible = buildChildEnvironment({ ...env, PATH: findUserPath(env) }, VARIABLES);
  return createNotifiers(settings.notifications, { run, folder: state, env: visible }, env);
}
