import { z } from 'zod';
import { isLoopback } from '../../base/is-loopback.ts';
import { lazy } from '../../base/lazy.ts';
import { closedObject } from '../../base/shape.ts';
import { keyWithDefault, sectionKey } from '../../base/optional.ts';
import { variable } from './driver-arguments.ts';

export const NOTIFICATION_EVENTS = {
  halt: 'high',
  refused: 'high',
  broken: 'high',
  hold: 'normal',
  merged: 'normal',
  budget: 'normal',
  rule: 'normal',
  digest: 'normal',
  abandoned: 'low',
  test: 'high',
} as const;
export type EventId = keyof typeof NOTIFICATION_EVENTS;
export type NotificationPriority = (typeof NOTIFICATION_EVENTS)[EventId];

/** The channels; bell and title belong to the terminal in which andon watches. */
export const CHANNELS = ['bell', 'title', 'desktop', 'push', 'command', 'webhook'] as const;
export type ChannelId = (typeof CHANNELS)[number];

export interface Notification {
  /** The same for every delivery of an event, so that receivers can detect duplicates. */
  readonly id: string;
  readonly event: EventId;
  readonly priority: NotificationPriority;
  readonly repository: { readonly name: string; readonly root: string };
  readonly task_id: string | null;
  /** The contract's title, else its first requirement; null without a task. */
  readonly title: string | null;
  /** What it is about in a few words that andon chose; for a halt, its cause. */
  readonly phrase: string;
  readonly sentence: string;
  readonly next: string;
  readonly at: string;
  readonly halt_id: string | null;
  /** Its page on the board: a path. */
  readonly page: string;
  /** The same as an address, where `web.url` is set. */
  readonly link?: string;
  readonly breaker: string | null;
  /** For a digest: the text for 80 columns, and the JSON of `andon digest --json`. */
  readonly digest?: { readonly text: string; readonly facts: object };
}

/** A channel posts over TLS, or to this machine. */
function mayBePosted(text: string, context: z.RefinementCtx): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback(url.hostname)))
    context.addIssue({ code: 'custom', message: 'expected an https: address (http: only for this machine itself)' });
  else if (url.username !== '' || url.password !== '')
    context.addIssue({ code: 'custom', message: 'expected an address without user and password' });
}

export const postTarget = lazy(() => z.string().superRefine(mayBePosted));

const webhookSchema = lazy(() =>
  z
    .strictObject({
      url: postTarget().describe('https:, or http: to this machine. Redirects are not followed.'),
      secret_env: variable()
        .optional()
        .describe("The variable of andon's environment that holds the secret of the signature. Default: `secret`."),
      secret: z
        .string()
        .min(8)
        .optional()
        .describe('The secret itself, of at least 8 characters. Default: what `secret_env` names.'),
    })
    .refine(({ secret, secret_env }) => (secret === undefined) !== (secret_env === undefined), {
      message: 'expected either `secret_env` or `secret`: what is sent is signed',
    }),
);

const priority = (usual: NotificationPriority, what: string) =>
  keyWithDefault(z.enum(['high', 'normal', 'low']), usual, what);

export const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** `notifications` of the user's configuration; a repository cannot set it. */
export const notificationsSchema = closedObject(() => ({
  bell: keyWithDefault(z.boolean(), true, 'The bell of the terminal that watches.'),
  title: keyWithDefault(z.boolean(), true, 'Says the last event in the title of that terminal.'),
  desktop: keyWithDefault(
    z.enum(['auto']).or(z.boolean()),
    'auto',
    'notify-send or osascript; auto: where a desktop and the program are there.',
  ),
  push: keyWithDefault(z.boolean(), true, 'Browsers that asked for it on the page Devices of the board (Web Push).'),
  command: z
    .array(z.string())
    .min(1)
    .refine(([program = '']) => /^[^/]+$|^\//.test(program), 'expected a program on PATH, or its whole path')
    .optional()
    .describe('A program and its arguments; it gets one JSON object on standard input. Default: none.'),
  webhook: webhookSchema().optional().describe('An address that gets the JSON by POST, signed. Default: none.'),
  from: sectionKey(
    z.strictObject({
      bell: priority('high', 'The least priority that rings.'),
      title: priority('low', 'The least priority that the title shows.'),
      desktop: priority('normal', 'The least priority shown on the desktop.'),
      push: priority('high', 'The least priority that is pushed to browsers.'),
      command: priority('low', 'The least priority that calls the command.'),
      webhook: priority('low', 'The least priority that is posted.'),
    }),
    'high: halt, refused contract, andon broke; normal: wait, merge, 80 % of a budget, a rule with notify_human, digest; low: abandoned.',
  ),
  quiet_hours: z
    .string()
    .regex(new RegExp(`^${TIME}-${TIME}$`), 'expected two times such as 22:00-07:00')
    .optional()
    .describe(
      'Local times between which no notifications are sent; what happened, and what is still open, is sent when they end; after a restart only halts and how tasks ended. Default: none.',
    ),
  quiet_allow_high: keyWithDefault(z.boolean(), true, 'Whether high priority is sent all the same.'),
}));

export type NotificationSettings = Readonly<ReturnType<typeof toNotifications>>;

export function toNotifications(written: z.input<ReturnType<typeof notificationsSchema>> = {}) {
  const { quiet_hours: hours, quiet_allow_high: quietAllowsHigh, ...channels } = notificationsSchema().parse(written);
  const [begins = 0, ends = 0] = (hours ?? '').split('-').map(parseMinute);
  /** Minutes since midnight; the end may be before the start. */
  const quiet = hours === undefined ? undefined : { begins, ends };
  return { ...channels, quiet, quietAllowsHigh };
}

export function parseMinute(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

/** The channels of an event at a minute of the local day; in quiet hours none, or only silent ones. */
export function selectChannels(
  event: EventId,
  settings: NotificationSettings,
  minute: number,
): { readonly channels: readonly ChannelId[]; readonly isQuiet: boolean } {
  const isQuiet =
    inQuietHours(settings, minute) && !(settings.quietAllowsHigh && NOTIFICATION_EVENTS[event] === 'high');
  const channels = CHANNELS.filter(
    (channel) =>
      isSet(settings, channel) &&
      RANK[NOTIFICATION_EVENTS[event]] >= RANK[settings.from[channel]] &&
      (!isQuiet || channel === 'title'),
  );
  return { channels, isQuiet };
}

const RANK: Readonly<Record<NotificationPriority, number>> = { low: 0, normal: 1, high: 2 };

const isSet = (settings: NotificationSettings, channel: ChannelId): boolean =>
  settings[channel] !== undefined && settings[channel] !== false;

/** Half-open; a span from a time to itself is empty. */
function inQuietHours({ quiet }: NotificationSettings, minute: number): boolean {
  if (quiet === undefined) return false;
  const { begins, ends } = quiet;
  return begins <= ends ? minute >= begins && minute < ends : minute >= begins || minute < ends;
}
