import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { CHANNELS, type ChannelId, type Notification } from '../../project/config/notification.ts';
import { toNotification } from '../words/notification-policy.ts';
import { openNotifiers } from './open-notifiers.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';

/** The result of the test event on a channel. */
export interface Tested {
  readonly channel: ChannelId;
  readonly state: 'worked' | 'failed' | 'off';
  readonly detail: string;
}

/** The two channels of a surface; false without a terminal. */
export interface Terminal {
  bell(): boolean;
  title(text: string): boolean;
}

/** Sends a test event over every channel at once, at any hour and priority. */
export async function testNotifications(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<readonly Tested[]> {
  const { settings, facts } = place;
  const notifiers = openNotifiers(place, env, 'examining'); // a watchdog that starts meanwhile must not end it
  const notification = toNotification(
    {
      key: 'test',
      event: 'test',
      taskId: undefined,
      sentence: 'This is a test of notifications.',
      next: 'andon watch',
    },
    {
      root: facts.root,
      repository: basename(place.state),
      at: new Date().toISOString(),
      id: randomUUID().replaceAll('-', ''),
    },
  );
  const test = async (channel: ChannelId): Promise<Tested> => {
    if (channel === 'bell' || channel === 'title')
      return settings.notifications[channel]
        ? testTerminal(channel, terminal, notification)
        : { channel, state: 'off', detail: 'switched off' };
    const notifier = notifiers.get(channel);
    if (notifier === undefined) return { channel, state: 'off', detail: WHY_OFF[channel] };
    const failed = await notifier(notification, signal);
    return failed === undefined
      ? { channel, state: 'worked', detail: '' }
      : { channel, state: 'failed', detail: failed };
  };
  return Promise.all(CHANNELS.map(test));
}

const WHY_OFF = {
  desktop: 'no desktop, no notify-send or osascript, or switched off (`desktop: true` tries all the same)',
  push: 'no browser asked for it on the page Devices of the board, or switched off',
  command: 'no `command` is configured',
  webhook: 'no `webhook` is configured',
} as const;

function testTerminal(channel: 'bell' | 'title', terminal: Terminal, { sentence }: Notification): Tested {
  const isThere = channel === 'bell' ? terminal.bell() : terminal.title(`andon: ${sentence}`);
  return isThere ? { channel, state: 'worked', detail: '' } : { channel, state: 'off', detail: 'this is no terminal' };
}
