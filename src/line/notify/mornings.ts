import { selectChannels } from '../../project/config/notification.ts';
import { computeDue, isLate, type Due } from '../digest/compute-due.ts';
import type { Happening } from '../words/notification-policy.ts';
import { takeFileLock } from '../../project/locks/kernel-lock.ts';
import { findStateHome } from '../../project/folders/user-folders.ts';
import type { Needs } from '../services/services.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';
import { getLocalMinute } from '../../base/local-time.ts';

/** The file that marks the last digest sent; a typed one has its own. */
const SENT = 'digest-sent.json';
const LOCK = 'digest-lock.sqlite';
/** The delay after a failure, and while another andon sends it. */
const AGAIN_MS = 60_000;

/** The inputs of sending a digest. */
interface DigestSender {
  readonly services: Needs<'clock' | 'configuration' | 'say'>;
  readonly env: NodeJS.ProcessEnv;
  /** Whether every channel has the digest; false after a stop before that. */
  readonly tell: (happening: Happening) => Promise<boolean>;
}

/**
 * Sends the digest of all repositories once a day, at the time in the user's configuration. One of all watching andons
 * sends it; a missed one is sent at the next start, marked as late.
 */
export function keepMornings(sender: DigestSender): { stop(): void; readonly ended: Promise<void> } {
  const { clock, configuration, say } = sender.services;
  const stopping = new AbortController();
  const minuteNow = (): number | undefined => configuration.line().settings.digestAt;
  const run = async (): Promise<void> => {
    let sentDay = '';
    while (!stopping.signal.aborted) {
      const minute = minuteNow();
      let again = later(clock.now(), AGAIN_MS);
      try {
        if (minute !== undefined) ({ sentDay = sentDay, again = again } = await sendIfDue(sender, minute, sentDay));
      } catch (error) {
        const why = getErrorMessage(error);
        say({ kind: 'word', level: 'warn', text: `the digest could not be sent: ${why}` });
      }
      // The user may name another time meanwhile.
      while (!stopping.signal.aborted && clock.now() < again && minuteNow() === minute) {
        const soon = later(clock.now(), AGAIN_MS);
        await clock.until(soon < again ? soon : again, stopping.signal);
      }
    }
  };
  return { stop: () => stopping.abort(), ended: run() };
}

interface DigestCheck {
  /** The day whose digest was sent, by this andon or another. */
  readonly sentDay?: string;
  readonly again?: string;
}

/** Sends a due digest unless another andon has; returns the next time to check. */
async function sendIfDue(sender: DigestSender, minute: number, sentDay: string): Promise<DigestCheck> {
  const { services, env } = sender;
  const now = services.clock.now();
  const due = computeDue(minute, now);
  if (sentDay >= due.day) return { again: due.next };
  const { readMark, writeMark } = await import('../readers/read-night.ts');
  const folder = findStateHome(env);
  const isSent = (): boolean => {
    const mark = readMark(folder, SENT);
    if (mark === undefined) writeMark(folder, SENT, { at: due.at, heads: {}, day: due.day }); // wanted from now on
    return mark === undefined || (typeof mark !== 'string' && (mark.day ?? '') >= due.day);
  };
  if (isSent()) return { sentDay: due.day, again: due.next };
  if (isQuiet(sender, minute, now)) return {};
  const lock = takeFileLock(openDir(folder).plain(LOCK));
  if (lock === 'taken') return {};
  try {
    const isDone = isSent() || (await send(sender, due, now));
    return isDone ? { sentDay: due.day, again: due.next } : {};
  } finally {
    lock.release();
  }
}

/** A late digest waits for the end of quiet hours; its configured time is never quiet. */
function isQuiet({ services: { configuration } }: DigestSender, minute: number, now: string): boolean {
  const { settings } = configuration.line();
  const quietAt = (one: number): boolean => selectChannels('digest', settings.notifications, one).isQuiet;
  return quietAt(getLocalMinute(now)) && !quietAt(minute);
}

/** Sends the digest and marks it; false when it was not sent. */
async function send({ services, env, tell }: DigestSender, due: Due, now: string): Promise<boolean> {
  const [{ readDigest }, { digestHeadline: headline }, { renderText }] = await Promise.all([
    import('../readers/read-digest.ts'),
    import('../digest/outline-digest.ts'),
    import('../digest/render-digest-text.ts'),
  ]);
  const { digest, remember } = await readDigest({ place: undefined, since: undefined, now, file: SENT }, env);
  const note = isLate(due.at, now)
    ? `Late: it was due at ${due.at}, when no andon watched or the machine slept.`
    : undefined;
  const text = renderText(digest, { here: undefined, note })
    .map((row) => row.text)
    .join('\n');
  const sentence = `${note === undefined ? '' : `${note} `}${headline(digest)}`;
  const next = `andon digest --all --since ${digest.from}`;
  services.say({ kind: 'word', level: 'info', text: `digest: ${sentence}; ${next}` });
  const happening = { key: `digest:${due.day}`, event: 'digest', taskId: undefined, sentence, next } as const;
  const isSent = await tell({ ...happening, digest: { text: `${text}\n`, facts: digest } });
  if (isSent) remember({ day: due.day });
  return isSent;
}

const later = (now: string, ms: number): string => new Date(Date.parse(now) + ms).toISOString();
