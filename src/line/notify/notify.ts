import { waitAtMost } from '../../base/system/wait-at-most.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { selectChannels, type ChannelId, type EventId, type Notification } from '../../project/config/notification.ts';
import { secrets } from '../../rules/checks/secrets.ts';
import { TERMINAL } from '../../base/names.ts';
import { foldJournal } from '../core/fold-journal.ts';
import type { Notifier, Notifiers } from './notifier.ts';
import { toNotification, listNotifications, type Happening } from '../words/notification-policy.ts';
import type { Journal } from '../journal/journal.ts';
import type { Needs } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';
import { getLocalMinute } from '../../base/local-time.ts';

/** The journal name for notices without a task; no task can have it. */
const WITHOUT_TASK = '(notices)';
/** The most events that wait for a slow channel; further ones are dropped on it. */
const MOST_WAITING = 50;
/** The most events remembered as sent; for older ones the journal is read. */
const MOST_SEEN = 64;
/** A stop waits this long for running notifiers, and again for their processes. */
const GRACE_MS = 1000;
const GRACE_BROKEN_MS = 5000;
/** An end whose notice a crash prevented is news this long. */
const NEWS_MS = 24 * 3_600_000;

type OwnServices = Needs<'clock' | 'configuration' | 'digest' | 'journal' | 'root' | 'say' | 'stateName'>;

/**
 * Notifies you of events, each once per channel: the journal keeps the sent ones, so a restart repeats none. A restart in
 * quiet hours loses events that are no state of a task, such as a broken rule. Nothing here throws at the line or delays
 * it; a failing channel costs one warning.
 */
export class Notices {
  private readonly services: OwnServices;
  private readonly notifiers: () => Notifiers;
  private readonly hasTerminal: boolean;
  private readonly seen = new Set<string>();
  private readonly queues = new Map<ChannelId, { length: number; last: Promise<void> }>();
  private readonly telling = new Set<Promise<void>>();
  /** What happened in quiet hours, by key. */
  private readonly heldBack = new Map<string, Happening>();
  private readonly stopping = new AbortController();
  private waitsForMorning = false;
  private mayNote = true;
  private grace = GRACE_MS;

  constructor(services: OwnServices, notifiers: () => Notifiers, { hasTerminal = false } = {}) {
    this.services = services;
    this.notifiers = notifiers;
    this.hasTerminal = hasTerminal;
  }

  /** Sends the notices of a record whose papers are written. */
  about(record: TaskRecord): void {
    for (const happening of listNotifications(record)) this.tell(happening);
  }

  /** The same while papers may be missing: a halt is announced only once its lock is there. */
  heard(record: TaskRecord): void {
    for (const happening of listNotifications(record)) if (happening.event !== 'halt') this.tell(happening);
  }

  /** Announces the newest end of a task, after a crash before its notice, and those of quiet hours that a stop kept back. */
  catchUp(): void {
    const { journal, clock } = this.services;
    const since = Date.parse(clock.now()) - NEWS_MS;
    const ended = readSince(journal, since).filter(
      ({ entry }) => entry.kind === 'moved' && TERMINAL.includes(entry.to) && Date.parse(entry.at) > since,
    );
    const missed = ended.filter(({ entry }, at) => at === ended.length - 1 || this.isQuietAt(entry.at));
    for (const taskId of new Set(missed.map((one) => one.taskId))) {
      const record = foldJournal(journal.entries(taskId));
      for (const happening of record === undefined ? [] : listNotifications(record)) {
        this.seen.add(`title ${happening.key}`); // the title is not journaled: after each start it would be news again
        this.tell(happening);
      }
    }
  }

  /** Announces that andon cannot continue. It may have lost the journal's lock, so it writes no more there. */
  broke(reason: string): void {
    this.mayNote = false;
    this.grace = GRACE_BROKEN_MS;
    const key = `broken:${this.services.clock.now()}`;
    this.tell({ key, event: 'broken', taskId: undefined, sentence: `andon stopped: ${reason}`, next: 'andon watch' });
  }

  tell(happening: Happening): void {
    void this.deliver(happening);
  }

  /** Sends a notice; false when a stop cut it off, true otherwise. */
  async deliver(happening: Happening): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    const work = this.send(happening).catch((error: unknown) => this.warn(describeFailure(error)));
    this.telling.add(work);
    await work.finally(() => this.telling.delete(work));
    return !this.stopping.signal.aborted;
  }

  /** Waits a moment for running notifiers, then ends them; unsent notices are sent after the next start. */
  async close(): Promise<void> {
    await waitAtMost(this.grace, Promise.allSettled(this.telling));
    this.stopping.abort();
    await waitAtMost(GRACE_MS, Promise.allSettled(this.telling));
    this.mayNote = false;
  }

  private async send(happening: Happening): Promise<void> {
    const channels = this.freshChannels(happening);
    if (channels.length === 0) return;
    const { services } = this;
    const id = services.digest(`${services.root}\n${happening.key}`).slice(0, 32);
    const notification = toNotification(withoutSecrets(happening), {
      root: services.root,
      repository: services.stateName,
      at: services.clock.now(),
      id,
      url: services.configuration.line().settings.web.url,
    });
    services.say({
      kind: 'notice',
      notification,
      bell: channels.includes('bell'),
      title: channels.includes('title'),
    });
    if (channels.includes('bell')) this.note(happening, 'bell', undefined);
    await Promise.all(channels.map((channel) => this.pass(happening, channel, notification)));
  }

  /** The channels without this event yet; they count as used from here on. */
  private freshChannels(happening: Happening): readonly ChannelId[] {
    const { notifications } = this.services.configuration.line().settings;
    const hours = happening.event === 'digest' ? { ...notifications, quiet: undefined } : notifications; // it has its own
    const { channels, isQuiet } = selectChannels(happening.event, hours, getLocalMinute(this.services.clock.now()));
    if (isQuiet) this.holdBack(happening);
    const unseen = channels.filter((channel) => this.isThere(channel) && !this.seen.has(`${channel} ${happening.key}`));
    if (unseen.length === 0) return [];
    for (const channel of unseen) this.seen.add(`${channel} ${happening.key}`);
    for (const oldest of this.seen) {
      if (this.seen.size <= MOST_SEEN) break;
      this.seen.delete(oldest);
    }
    const sent = this.services.journal
      .entries(happening.taskId ?? WITHOUT_TASK)
      .flatMap((entry) => (entry.kind === 'notified' && entry.key === happening.key ? [entry.channel] : []));
    return unseen.filter((channel) => !sent.includes(channel));
  }

  private isQuietAt(at: string): boolean {
    return selectChannels('merged', this.services.configuration.line().settings.notifications, getLocalMinute(at))
      .isQuiet;
  }

  private isThere(channel: ChannelId): boolean {
    return channel === 'title' || (channel === 'bell' ? this.hasTerminal : this.notifiers().has(channel));
  }

  /** Sends one event after the other over each channel. */
  private async pass(happening: Happening, channel: ChannelId, notification: Notification): Promise<void> {
    const notifier = this.notifiers().get(channel);
    if (notifier === undefined) return;
    const queue = this.queues.get(channel) ?? { length: 0, last: Promise.resolve() };
    this.queues.set(channel, queue);
    if (queue.length >= MOST_WAITING)
      return this.warn(`${channel} is too slow: it is not sent "${notification.sentence}"`);
    queue.length += 1;
    queue.last = queue.last
      .then(() => this.use(notifier, happening, channel, notification))
      .catch((error: unknown) => this.warn(describeFailure(error)))
      .finally(() => (queue.length -= 1));
    await queue.last;
  }

  private async use(
    notifier: Notifier,
    happening: Happening,
    channel: ChannelId,
    notification: Notification,
  ): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    const failed = await notifier(notification, signal);
    if (failed !== undefined && signal.aborted) return;
    this.note(happening, channel, failed);
    if (failed !== undefined) this.warn(`the notification by ${channel} failed: ${failed}`);
  }

  private note({ key, taskId }: Happening, channel: ChannelId, failed: string | undefined): void {
    if (!this.mayNote) return;
    const { journal, clock } = this.services;
    journal.append(taskId ?? WITHOUT_TASK, [
      { kind: 'notified', at: clock.now(), key, channel, ...(failed === undefined ? {} : { failed }) },
    ]);
  }

  /** Sends the notices that still apply at the end of quiet hours. */
  private holdBack(happening: Happening): void {
    this.heldBack.set(happening.key, happening);
    if (this.waitsForMorning) return;
    this.waitsForMorning = true;
    void this.untilMorning().catch((error: unknown) => this.warn(describeFailure(error)));
  }

  private async untilMorning(): Promise<void> {
    const { clock, journal, configuration } = this.services;
    const { settings } = configuration.line();
    const end = new Date(clock.now());
    end.setHours(0, settings.notifications.quiet?.ends ?? 0, 0, 0);
    if (end.toISOString() <= clock.now()) end.setDate(end.getDate() + 1);
    await clock.until(end.toISOString(), this.stopping.signal);
    this.waitsForMorning = false;
    if (this.stopping.signal.aborted) return;
    const held = [...this.heldBack.values()];
    this.heldBack.clear();
    for (const taskId of new Set(held.flatMap((one) => one.taskId ?? []))) {
      const record = foldJournal(journal.entries(taskId));
      if (record !== undefined) this.about(record);
    }
    for (const one of held) if (!OF_NOW.has(one.event)) this.tell(one);
  }

  private warn(text: string): void {
    this.services.say({ kind: 'word', level: 'warn', text });
  }
}

/** The last entries of the journal, at least those since a moment. */
function readSince(journal: Journal, since: number): ReturnType<Journal['since']> {
  const head = journal.head();
  for (let most = 100; ; most *= 4) {
    const recent = journal.since(Math.max(0, head - most));
    if (most >= head || Date.parse(recent[0]?.entry.at ?? '') <= since) return recent;
  }
}

/** A sentence may quote an agent, so it is replaced when it holds a secret; so is a title. */
function withoutSecrets({ title, ...happening }: Happening): Happening {
  const { event, taskId, sentence } = happening;
  const holdsSecret = (text: string): boolean => secrets('notification.txt', '', text).length > 0;
  return {
    ...happening,
    ...(title === undefined || holdsSecret(title) ? {} : { title }),
    sentence: holdsSecret(sentence)
      ? `${taskId ?? 'andon'}: ${event}; the text is withheld, since it holds a secret`
      : sentence,
  };
}

/** States, which the record of a task repeats in the morning if they still hold. Any other event is sent as it was. */
const OF_NOW: ReadonlySet<EventId> = new Set(['halt', 'hold', 'merged', 'abandoned']);

const describeFailure = (error: unknown): string => `a notification could not be sent: ${getErrorMessage(error)}`;
