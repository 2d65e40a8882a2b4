import type { ChannelId, Notification } from '../record/notification.ts';

/** Tells one event over one channel, within its own time limit; resolves with why it could not, else undefined. Never rejects. */
export type Notifier = (notification: Notification, signal: AbortSignal) => Promise<string | undefined>;

/** The channels that lead out of the terminal: those that are configured, and that this machine has. */
export type Notifiers = ReadonlyMap<ChannelId, Notifier>;
