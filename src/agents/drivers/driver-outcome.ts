import { parseJson } from '../../base/json-object.ts';
import type { DriverOutput } from '../../project/config/driver-output.ts';
import type { Driver } from '../../project/config/read-driver.ts';
import { failure, success } from '../../base/outcome.ts';
import { findCrashReason, listFaultWords } from '../../base/crash-reason.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { AgentCall, AgentFailure, CallOutcome, AgentUsage } from '../agent.ts';
import type { Ending } from '../../sandbox/processes/command.ts';
import { describeSignalEnd, describeEarlyEnd, createFailure, NO_USAGE } from './agent-program.ts';
import type { ProgramOutput } from './follow-program.ts';
import { toText, countEventUsage, type UsageCount } from './event-rules.ts';
import { parseResetTime, type Now } from './reset-time.ts';
import type { PrivateFolder } from './private-folder.ts';

/** Lines at the end of stderr that are searched for a cause. */
const STDERR_LINES = 20;
const STDERR_CHARACTERS = 8000;

/**
 * The outcome of a run. Success needs the right exit code, the required event, no reported failure, and an answer; none
 * of these alone is enough.
 */
export function readDriverOutcome(
  driver: Driver,
  ending: Ending,
  whole: ProgramOutput,
  call: Pick<AgentCall, 'schema' | 'model'>,
  now: Now,
): CallOutcome {
  const usage = ending.ended === 'missing' ? NO_USAGE : readDriverUsage(driver, whole.counted);
  const structured = call.schema === undefined ? undefined : whole.structured;
  const story = structured === undefined ? withToldFailure(driver, whole) : whole;
  const text = structured === undefined ? story.answer : toText(structured);
  const fault = findFault(driver, ending, story, text, call);
  if (fault !== undefined) return failure({ ...(findCause(driver, ending, story, fault, now) ?? fault.why), ...usage });
  return success({
    text,
    ...(structured === undefined ? {} : { structured: typeof structured === 'string' ? undefined : structured }),
    ...(story.model === undefined ? {} : { answeredBy: toTerminalLine(story.model, 80) }),
    denials: story.denials,
    opened: story.opened,
    ...usage,
    ms: ending.ms,
    exit: ending.exit,
  });
}

/** What a short answer begins with: it may be the report of a failure. */
const firstLine = (answer: string): string =>
  (answer.length < LONGEST_REPORT ? answer : '').trim().split('\n', 1)[0] ?? '';
const LONGEST_REPORT = 200;

/** Some programs report a failure as the answer of a success: always in some words, or in any while they are in trouble. */
const withToldFailure = ({ causes }: Driver, story: ProgramOutput): ProgramOutput =>
  causes.some(
    ({ in_answer: isAnswer, fits }) =>
      (isAnswer === 'always' && fits(story.answer)) ||
      (isAnswer === 'in_trouble' && story.isInTrouble && fits(firstLine(story.answer))),
  )
    ? { ...story, failed: story.failed ?? story.answer }
    : story;

/** Tokens as reported. Dollars as reported, else by the user's prices, else unknown. */
export function readDriverUsage(
  { billing, prices }: Pick<Driver, 'billing' | 'prices'>,
  counted: UsageCount,
): AgentUsage {
  const { tokensIn, tokensOut, cached } = counted;
  const priced = (): number | null => {
    if (prices === undefined || tokensIn === null || tokensOut === null) return null;
    const fromCache = Math.min(cached ?? 0, tokensIn);
    return ((tokensIn - fromCache) * prices.in + fromCache * prices.cached + tokensOut * prices.out) / 1_000_000;
  };
  return { tokensIn, tokensOut, usd: billing === 'free' ? 0 : (counted.usd ?? priced()) };
}

/**
 * The usage of a call through the model door. A program in the cage can forge its own figures and its usage file, so
 * the door's count wins. Its dollars count only where they exceed the user's prices.
 */
export function countOutside(
  driver: Pick<Driver, 'billing' | 'prices'>,
  byDoor: UsageCount,
  count: UsageCount,
): UsageCount {
  if (byDoor.tokensIn === null) return { ...byDoor, usd: null };
  if (byDoor.usd !== null) return byDoor; // no model was asked
  const priced = readDriverUsage(driver, { ...byDoor, usd: null }).usd;
  return {
    ...byDoor,
    usd: count.usd === null || priced === null ? (count.usd ?? priced) : Math.max(count.usd, priced),
  };
}

const USAGE_FILE = '.andon-usage.json';
/** The largest usage report that is read: figures of a call by model and agent. */
const MOST_OF_USAGE = 1024 * 1024;

/** The usage file of a program, in its private home. */
export const usageFilePath = (own: PrivateFolder): string => `${own.folder('home')}/${USAGE_FILE}`;

/** The usage file of a program; undefined where its driver has none, or it is empty. */
export function readUsageFile({ usage }: DriverOutput, own: PrivateFolder): UsageCount | undefined {
  if (usage?.file !== true) return undefined;
  const report = parseJson(own.read(`home/${USAGE_FILE}`, MOST_OF_USAGE) ?? '');
  return report === undefined ? undefined : countEventUsage(report, usage);
}

/** A failure, as far as the end of the program tells. */
interface Fault {
  readonly why: AgentFailure;
  /** How the program ended, in words; only with it is a known cause looked for, which explains the failure better. */
  readonly ended?: string;
}

function findFault(
  { name, exits }: Driver,
  ending: Ending,
  story: ProgramOutput,
  answer: string,
  { schema }: Pick<AgentCall, 'schema'>,
): Fault | undefined {
  const early = describeEarlyEnd(name, ending);
  // A stall during retries is one of the service, not of the agent, if its words say so.
  if (early?.kind === 'stall' && story.isInTrouble)
    return { why: early, ended: `got no answer and tried again: ${shown(story.troubles.at(-1) ?? '')}` };
  if (early !== undefined) return { why: early };
  const fault = (kind: AgentFailure['kind'], detail: string): Fault => ({ why: createFailure(kind, detail, ending) });
  const unlessKnown = (kind: AgentFailure['kind'], ended: string): Fault => ({
    ...fault(kind, `${name} ${ended}`),
    ended,
  });
  const signal = describeSignalEnd(ending);
  if (signal !== undefined) return fault('crash', `${name} was ended from outside by ${signal}`);
  const isWell = exits.ok.includes(ending.exit ?? -1);
  const exit = `ended with exit code ${ending.exit ?? '?'}`;
  const stderr = shown(findCrashReason(ending.stderr));
  if (story.failed !== undefined || !isWell) {
    const words = shown(story.failed ?? '') || stderr || shown(story.plain);
    return unlessKnown('crash', `${isWell ? 'says that it failed' : exit}${words === '' ? '' : `: ${words}`}`);
  }
  if (!ending.utf8) return fault('unreadable', `what ${name} printed is not valid UTF-8`);
  if (story.unreadable !== undefined)
    return fault('unreadable', `${name}: ${story.unreadable}${story.plain === '' ? '' : `: ${shown(story.plain)}`}`);
  if (schema !== undefined && story.lacksStructured)
    return fault('unreadable', `${name} ended well but gave no structured answer`);
  if (!story.isDone) return unlessKnown('crash', `${exit} and never said that it was done`);
  if (answer.trim() !== '') return undefined;
  // A clean end without an answer; earlier warnings may give the reason.
  const says = stderr || shown(story.plain);
  return unlessKnown('empty', `ended well with an empty answer${says === '' ? '' : `; it says ${says}`}`);
}

/** The failure by the words, or else the exit code; undefined when neither matches, or no cause is looked for. */
function findCause(
  { name, causes, exits }: Driver,
  ending: Ending,
  story: ProgramOutput,
  { ended }: Fault,
  now: Now,
): AgentFailure | undefined {
  if (ended === undefined) return undefined;
  const { exit } = ending;
  const { troubles, facts, failed = '' } = story;
  const hasExited = ending.ended === 'exited';
  // A program that says why it ended is believed; where that is unknown, a trouble that is not over tells. Without such
  // words stderr and the newest trouble tell, and then earlier ones.
  const isExplained = hasExited && failed !== '';
  const stderr = isExplained ? '' : endOfStderr(ending, story.isDone && exits.ok.includes(exit ?? -1));
  const own = [...facts, ...listFaultWords(failed.slice(-STDERR_CHARACTERS))];
  const latest = isExplained ? [] : [...listFaultWords(stderr), troubles.at(-1) ?? ''];
  const said = [
    [...own, ...latest],
    isExplained ? troubles.slice(story.isInTrouble ? -1 : troubles.length) : troubles.slice(0, -1),
  ].map((lines) => lines.join('\n'));
  const code = hasExited ? `exit ${exit ?? '?'}` : '';
  const known = said.map((words) => causes.find(({ fits }) => fits(words) || fits(code)));
  const cause =
    known.find((one) => one !== undefined) ??
    BY_EXIT.find(({ code: list }) => exit !== null && exits[list].includes(exit));
  if (cause === undefined) return undefined;
  const { kind, remedy } = cause;
  return {
    ...createFailure(kind, `${name} ${ended}${remedy === undefined ? '' : `; ${remedy}`}`, ending),
    until: kind === 'unavailable' ? parseResetTime([stderr, ...troubles, failed].join('\n'), now) : undefined,
  };
}

/** The end of stderr. A line about a retry counts only where nothing followed: neither words nor a good end. */
function endOfStderr({ stderr }: Ending, isWell: boolean): string {
  const lines = stderr.trimEnd().split('\n').slice(-STDERR_LINES);
  const last = isWell ? lines.length : lines.findLastIndex((line) => /[\p{L}\p{N}]/u.test(line) && !FRAME.test(line));
  return lines
    .filter((line, at) => at === last || !RETRY.test(line))
    .join('\n')
    .slice(-STDERR_CHARACTERS);
}

const RETRY = /(?<!\bnot |\bno longer )\b(?:retrying|reconnecting|trying again|attempt \d+ failed)\b/i;
const FRAME = /^\s+at /;

/** The meanings of a driver's exit codes. */
const BY_EXIT = [
  { code: 'refused', kind: 'refused', remedy: undefined },
  { code: 'unavailable', kind: 'unavailable', remedy: undefined },
  { code: 'tooLong', kind: 'too-long', remedy: undefined },
] as const;

const shown = (words: string): string => toTerminalLine(words, 300);
