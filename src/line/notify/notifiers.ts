import { PROXY_VARIABLES } from '../../base/base-folders.ts';
import { maskKnownIn } from '../../base/known-secrets.ts';
import type { ChannelId, NotificationSettings } from '../../project/config/notification.ts';
import type { Notifier, Notifiers } from './notifier.ts';
import { createCommandNotifier, type NotifierEnvironment } from './command.ts';
import { createDesktopNotifier } from './desktop.ts';
import { createPushNotifier, type PushPlan } from './web-push.ts';
import { createWebhookNotifier } from './webhook.ts';

/** Variables that a desktop program, or the user's own command, needs. */
export const VARIABLES = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  ...PROXY_VARIABLES,
];

/** The configured channels that this machine has, without the terminal. */
export function createNotifiers(
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
