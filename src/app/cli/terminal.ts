import { isatty } from 'node:tty';
import { toTerminalLine } from '../../base/plain-text.ts';
import { isInBackground } from '../../sandbox/processes/job-control.ts';

/**
 * Whether a whole window can be drawn upon, and keys are heard: a terminal at both ends that can move its cursor, with
 * andon in its foreground, and no machine that builds.
 */
export const canDraw = (env: NodeJS.ProcessEnv): boolean =>
  isatty(0) && isatty(1) && !isInBackground() && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '';

const WIDTH = 80;
let isSet = false;

/** Rings the bell of the terminal; a pipe gets nothing, nor does a terminal whose foreground is another program. */
export function ringBell(): boolean {
  const canRing = process.stdout.isTTY && !isInBackground();
  if (canRing) process.stdout.write('\u0007');
  return canRing;
}

/** Shows a text in the title of the window; the one that was there comes back, or none, when andon ends. */
export function setTitle(text: string): boolean {
  if (!process.stdout.isTTY || process.env['TERM'] === 'dumb' || isInBackground()) return false;
  if (!isSet) {
    process.stdout.write(SAVE);
    process.once('exit', () => void (!isInBackground() && process.stdout.write(`${title('')}${RESTORE}`)));
  }
  isSet = true;
  process.stdout.write(title(toTerminalLine(text, WIDTH)));
  return true;
}

export const titleIsSet = (): boolean => isSet;

const title = (text: string): string => `\u001b]2;${text}\u0007`;
/** The title stack of xterm; terminals without one ignore both. */
const SAVE = '\u001b[22;2t';
const RESTORE = '\u001b[23;2t';
