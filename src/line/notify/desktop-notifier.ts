import type { Notification } from '../../project/config/notification.ts';
import { isOnPath } from '../../project/workspace/on-path.ts';
import type { Notifier } from './notifier.ts';
import { runToTell, formatTitle, type NotifierEnvironment } from './command-notifier.ts';

const LIMIT_MS = 10_000;

/** The desktop's own notifications; undefined where `auto` finds no desktop or no program for it. */
export function createDesktopNotifier(
  wanted: 'auto' | boolean,
  around: NotifierEnvironment,
  platform: NodeJS.Platform = process.platform,
): Notifier | undefined {
  if (wanted === false) return undefined;
  const [program, argsFor] =
    platform === 'darwin' ? (['osascript', forOsascript] as const) : (['notify-send', forNotifySend] as const);
  if (wanted === 'auto' && !(hasDesktop(around.env, platform) && isOnPath(program, around.env['PATH'])))
    return undefined;
  return (notification, signal) =>
    runToTell(around, { program, args: argsFor(notification), env: around.env, input: '', signal }, LIMIT_MS);
}

const URGENCY = { high: 'critical', normal: 'normal', low: 'low' } as const;

/** The body may hold markup, so markup is removed; the title is plain. */
const forNotifySend = (notification: Notification): readonly string[] => [
  '--app-name=andon',
  `--urgency=${URGENCY[notification.priority]}`,
  '--',
  formatTitle(notification),
  bodyOf(notification).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
];

/** The texts are arguments of the script, never part of it. */
const forOsascript = (notification: Notification): readonly string[] => [
  '-e',
  'on run argv',
  '-e',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  '-e',
  'end run',
  formatTitle(notification),
  bodyOf(notification),
];

const bodyOf = ({ sentence, next }: Notification): string => `${sentence}\n${next}`;

const hasDesktop = (env: Readonly<Record<string, string>>, platform: NodeJS.Platform): boolean =>
  platform === 'darwin' || Boolean(env['DISPLAY'] ?? env['WAYLAND_DISPLAY']);
