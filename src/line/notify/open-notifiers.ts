import { join } from 'node:path';
import { systemClock } from '../../base/system/system-clock.ts';
import { buildChildEnvironment } from '../../sandbox/processes/environment.ts';
import { processRegistry } from '../../sandbox/processes/registry.ts';
import { processRunner } from '../../sandbox/processes/run.ts';
import { findUserPath, PROXY_VARIABLES } from '../../base/environment-variables.ts';
import { rememberSecrets, maskKnownIn } from '../../base/known-secrets.ts';
import { collectSecretValues } from '../../project/config/collect-secret-values.ts';
import { type PushPlan, createPushNotifier } from './push-notifier.ts';
import { isCurrentDevice, openDevices, readPushKeys, withoutPush } from './devices.ts';
import { findStateHome } from '../../project/folders/user-folders.ts';
import type { Notifiers, Notifier } from './notifier.ts';
import type { Settings } from '../../project/config/read-settings.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import type { ChannelId, NotificationSettings } from '../../project/config/notification.ts';
import { createCommandNotifier, type NotifierEnvironment } from './command-notifier.ts';
import { createDesktopNotifier } from './desktop-notifier.ts';
import { createWebhookNotifier } from './webhook-notifier.ts';

/** The same while andon runs: opened again when the user's settings of notifications change. */
export function openLiveNotifiers(place: Workspace, env: NodeJS.ProcessEnv, settings: () => Settings): () => Notifiers {
  let open: { readonly key: string; readonly notifiers: Notifiers } | undefined;
  return () => {
    const now = settings();
    const key = JSON.stringify([now.notifications, planPush(now, env) === undefined]);
    if (open?.key !== key) open = { key, notifiers: openNotifiers({ ...place, settings: now }, env) };
    return open.notifiers;
  };
}

/** The ways to tell you of events that lead out of the terminal, as you configured them and as this machine has them. */
export function openNotifiers({ settings, state }: Workspace, env: NodeJS.ProcessEnv, register = 'running'): Notifiers {
  rememberSecrets(collectSecretValues(settings, env));
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const visible = buildChildEnvironment({ ...env, PATH: findUserPath(env) }, VARIABLES);
  return createNotifiers(settings.notifications, { run, folder: state, env: visible }, env, planPush(settings, env));
}

/** Some push services want an address; a board without one is of this machine, and its browsers too. */
const NO_CONTACT = 'mailto:andon@example.org';

/** How browsers are notified; undefined where none asked for it. */
function planPush({ web: { url } }: Settings, env: NodeJS.ProcessEnv): PushPlan | undefined {
  const home = findStateHome(env);
  const devices = openDevices(home);
  const subscriptions = () =>
    devices
      .read()
      .filter(isCurrentDevice)
      .flatMap(({ push }) => push ?? []);
  const keys = subscriptions().length === 0 ? undefined : readPushKeys(home);
  if (keys === undefined) return undefined;
  return {
    keys,
    contact: url?.startsWith('https:') === true ? url : NO_CONTACT,
    subscriptions,
    drop: (endpoint) => devices.update((all) => all.map((one) => withoutPush(one, endpoint))),
  };
}

/** Variables that a desktop program, or the user's own command, needs. */
const VARIABLES = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  ...PROXY_VARIABLES,
];

/** The configured channels that this machine has, without the terminal. */
function createNotifiers(
  settings: NotificationSettings,
  around: NotifierEnvironment,
  secrets: Readonly<Record<string, string | undefined>>,
  push?: PushPlan,
): Notifiers {
  const known = new Map<ChannelId, Notifier>();
  const desktop = createDesktopNotifier(settings.desktop, around);
  if (desktop) known.set('desktop', desktop);
  if (settings.push && push !== undefined) known.set('push', createPushNotifier(push));
  if (settings.command) known.set('command', createCommandNotifier(settings.command, around));
  if (settings.webhook) known.set('webhook', createWebhookNotifier(settings.webhook, secrets));
  return new Map([...known].map(([channel, notify]) => [channel, masking(notify)]));
}

/** Masks known secrets in every notification and in failure reasons. */
const masking =
  (notify: Notifier): Notifier =>
  async (notification, signal) =>
    maskKnownIn(await notify(maskKnownIn(notification), signal));
