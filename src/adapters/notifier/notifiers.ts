import { PROXY_VARIABLES } from '../../base/base-folders.ts';
import { maskKnownIn } from '../../base/known-secrets.ts';
import type { ChannelId, NotificationSettings } from '../../record/notification.ts';
import type { Notifier, Notifiers } from '../../ports/notifier.ts';
import { commandNotifier } from './command.ts';
import type { Surroundings } from './command.ts';
import { desktopNotifier } from './desktop.ts';
import { webhookNotifier } from './webhook.ts';

/** Variables without which a program reaches no desktop, or the user's own command not the network. */
export const VARIABLES = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  ...PROXY_VARIABLES,
];

/** The channels out of the terminal that are configured and that this machine has. */
export function notifiers(
  settings: NotificationSettings,
  around: Surroundings,
  secrets: Readonly<Record<string, string | undefined>>,
): Notifiers {
  const known = new Map<ChannelId, Notifier>();
  const desktop = desktopNotifier(settings.desktop, around);
  if (desktop) known.set('desktop', desktop);
  if (settings.command) known.set('command', commandNotifier(settings.command, around));
  if (settings.webhook) known.set('webhook', webhookNotifier(settings.webhook, secrets));
  return new Map([...known].map(([channel, notify]) => [channel, masking(notify)]));
}

/** Known secrets leave the machine over no channel, and stand in no reason why one failed. */
const masking =
  (notify: Notifier): Notifier =>
  async (notification, signal) =>
    maskKnownIn(await notify(maskKnownIn(notification), signal));
