import type { ChannelId, Notification } from '../../project/config/notification.ts';

/**
 * Sends one event over one channel, within its own time limit; resolves with the reason of a failure, else undefined.
 * Never rejects.
 */
export type Notifier = (notification: Notification, signal: AbortSignal) => Promise<string | undefined>;

/** The configured channels that this machine has, without the terminal. */
export type Notifiers = ReadonlyMap<ChannelId, Notifier>;
