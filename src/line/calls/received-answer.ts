import { parseJsonObject } from '../../base/json-object.ts';
import { setImmediate as soon, setTimeout as sleep } from 'node:timers/promises';
import { classifyDiskError, describeDiskWait } from '../../base/disk-trouble.ts';
import type { BriefContext } from '../record/brief-context.ts';
import type { Called, Started } from '../record/journal-entry.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { findWriteFault } from '../record/read-entry.ts';
import { normaliseUsage } from '../../agents/budget/normalise-usage.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import type { Transcript } from '../../agents/agent.ts';
import { describeCutCall, settleCall } from './settle-call.ts';
import type { StepJournal } from '../journal/step-journal.ts';
import { isWaitedFor } from '../journal/wait-for-disk.ts';
import type { Needs } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** The answer of an agent, with what its reader needs of the call. */
export interface Received extends Transcript {
  readonly startedAt: string;
  readonly context?: BriefContext;
}

/** A disk that takes nothing is asked again this often; the answer waits in memory. */
const AGAIN_MS = 500;

/** Characters of an answer that are put into JSON at once: about a millisecond. */
const PIECE = 512 * 1024;

/** More of an answer is not read: searching a flood for secrets would block the daemon. */
const SHOWN = 1_000_000;

/**
 * Makes an answer durable before anything else is written: word for word in the state folder, and by its digest in the
 * journal. While no disk takes it, it is kept in memory and tried again: it was paid for. Returns the entry.
 */
export async function saveReceived(
  services: Needs<'clock' | 'digest' | 'folders' | 'handoff' | 'say'>,
  log: StepJournal,
  received: Received,
  signal: AbortSignal,
): Promise<Called> {
  const open = log.record.openCall;
  if (open === undefined) throw new Error('an answer was received for no call');
  const bytes = await toBytes(open.prompt, received);
  const called = calledAs(services, open, received, bytes);
  await soon(); // each of these takes a while on megabytes; other work runs in between
  await retryUntilWritable(services, signal, () => services.folders.keepReceived(log.record.taskId, open.call, bytes));
  await soon();
  await retryUntilWritable(services, signal, () => log.note(called));
  await soon();
  services.folders.keepCall(log.record.taskId, open.call, 'answer', withoutSecrets(renderAnswer(received)));
  await soon();
  return called;
}

/** Serialises an answer in pieces: megabytes at once would block the event loop. */
async function toBytes(prompt: string, { text, ...rest }: Received): Promise<Uint8Array> {
  const begin = JSON.stringify({ prompt, received: rest }).slice(0, -2);
  const pieces = [Buffer.from(`${begin},"text":"`)];
  for (let at = 0; at < text.length; at += PIECE) {
    await soon();
    pieces.push(Buffer.from(JSON.stringify(text.slice(at, at + PIECE)).slice(1, -1)));
  }
  await soon();
  return Buffer.concat([...pieces, Buffer.from('"}}')]);
}

/** Does what writes, again and again while the disk takes nothing. */
export async function retryUntilWritable(
  services: Needs<'clock' | 'handoff' | 'say'>,
  signal: AbortSignal,
  write: () => void,
): Promise<void> {
  for (let said = false; ; said = true) {
    try {
      write();
      if (said)
        services.say({ kind: 'word', level: 'warn', text: 'the disk takes writes again; going on', disk: null });
      return;
    } catch (error) {
      const why = getErrorMessage(error);
      if (signal.aborted || !isWaitedFor(services.handoff.folder, why)) throw error;
      const disk = { ...classifyDiskError(toTerminalLine(why, 200)), since: services.clock.now() };
      const text = `an answer waits to be written, and ${describeDiskWait(disk)}`;
      if (!said) services.say({ kind: 'word', level: 'warn', text, disk });
    }
    await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
  }
}

/** A call that was under way when andon died: received in full, it is taken up; else it was interrupted. */
export function resumeCall(
  services: Needs<'clock' | 'digest' | 'folders' | 'lastSeen' | 'ledger' | 'say' | 'stateName'>,
  log: StepJournal,
): void {
  const { openCall: open, taskId } = log.record;
  if (open === undefined) return;
  const text = services.folders.readReceived(taskId, open.call);
  const received = text === undefined ? undefined : receivedFor(open, text);
  const called = text === undefined || received === undefined ? undefined : calledAs(services, open, received, text);
  const ended = called !== undefined && findWriteFault(called) === undefined ? called : describeCutCall(services, open);
  log.note(ended);
  settleCall(services, taskId, open, ended);
}

/** The answer that this station has received and not used yet; undefined when a call is to be made. */
export function loadReceivedAnswer(
  services: Needs<'digest' | 'folders' | 'say'>,
  { record }: StepJournal,
  {
    station,
    canary,
    seat,
  }: Pick<Started, 'station' | 'canary'> & { readonly seat?: { readonly name: string } | undefined },
): Received | undefined {
  const { answered, taskId } = record;
  if (answered === undefined || answered.started.station !== station || answered.started.canary !== canary)
    return undefined;
  if (answered.started.reviewer !== seat?.name) return undefined;
  const text = services.folders.readReceived(taskId, answered.started.call);
  const received =
    text === undefined || services.digest(text) !== answered.digest ? undefined : receivedFor(answered.started, text);
  const message =
    received === undefined
      ? `the answer of ${station} that was received before is gone; it is asked again`
      : `${station} has answered already; its answer is taken as it was received`;
  services.say({ kind: 'word', level: received === undefined ? 'warn' : 'info', text: `${taskId}: ${message}` });
  return received;
}

function calledAs(
  services: Needs<'clock' | 'digest'>,
  open: Started,
  received: Received,
  kept: string | Uint8Array,
): Called {
  const { ms, exit, answeredBy, notice, denials = [] } = received;
  return {
    kind: 'called',
    at: services.clock.now(),
    station: open.station,
    call: open.call,
    agent: open.agent,
    model: answeredBy ?? open.model,
    ok: true,
    ...normaliseUsage(received),
    ms,
    exit,
    ...(notice === undefined ? {} : { notice }),
    ...(denials.length === 0 ? {} : { denials: [...denials] }),
    answer: services.digest(kept),
  };
}

/** An answer for people: whole lines, up to a megabyte. */
export function renderAnswer({ structured, text }: Transcript): string {
  const message = structured === undefined ? text : JSON.stringify(structured, null, 2);
  if (message.length <= SHOWN) return message;
  const kept = message.slice(0, message.lastIndexOf('\n', SHOWN) + 1);
  return `${kept}(${message.length - kept.length} more characters are not kept)\n`;
}

/** The answer in a text that was kept for exactly this call; undefined when it is about another one, or torn. */
function receivedFor({ prompt }: Started, text: string): Received | undefined {
  const kept = parseJsonObject<{ readonly prompt: string; readonly received?: Received }>(text, ['prompt']);
  return kept?.prompt === prompt ? kept.received : undefined;
}
