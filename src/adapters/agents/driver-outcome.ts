import { valueIn } from '../../base/json-object.ts';
import type { DriverOutput } from '../../config/driver-output.ts';
import type { Driver } from '../../config/drivers.ts';
import { failure, success } from '../../base/outcome.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { AgentCall, AgentFailure, CallOutcome, Usage } from '../../ports/agent.ts';
import type { Ending } from '../processes/command.ts';
import { endedBySignal, endedEarly, failed, lastWords } from './agent-program.ts';
import type { DriverStory } from './driver-story.ts';
import type { Counted } from './event-rules.ts';
import { asText, countedIn } from './event-rules.ts';
import type { PrivateFolder } from './private-folder.ts';
import { resetTime } from './reset-time.ts';
import type { Now } from './reset-time.ts';

/** The end of stderr in which a cause is looked for. */
const STDERR_LINES = 20;
const STDERR_CHARACTERS = 8000;

/**
 * What a run came to. It ended well when its exit code says so, the event that must occur has occurred, nothing said that
 * it failed, and there is an answer; each of these alone proves nothing.
 */
export function driverOutcome(
  driver: Driver,
  ending: Ending,
  story: DriverStory,
  call: Pick<AgentCall, 'schema' | 'model'>,
  now: Now,
): CallOutcome {
  const usage = usageOf(driver, story.counted);
  const why = whyNot(driver, ending, story, now);
  if (why !== undefined) return failure({ ...why, ...usage });
  const structured = call.schema === undefined ? undefined : story.structured;
  const text = structured === undefined ? story.answer : asText(structured);
  if (text.trim() === '') return failure({ ...emptyOrKnown(driver, ending, story, now), ...usage });
  return success({
    text,
    ...(structured === undefined ? {} : { structured: typeof structured === 'string' ? undefined : structured }),
    ...usage,
    ms: ending.ms,
    exit: ending.exit,
  });
}

/** Tokens as they were told, and dollars: as they were told, else by the user's prices, else unknown. */
export function usageOf({ billing, prices }: Pick<Driver, 'billing' | 'prices'>, counted: Counted): Usage {
  const { tokensIn, tokensOut, cached } = counted;
  const priced = (): number | null => {
    if (prices === undefined || tokensIn === null || tokensOut === null) return null;
    const fromCache = Math.min(cached ?? 0, tokensIn);
    return ((tokensIn - fromCache) * prices.in + fromCache * prices.cached + tokensOut * prices.out) / 1_000_000;
  };
  return { tokensIn, tokensOut, usd: billing === 'free' ? 0 : (counted.usd ?? priced()) };
}

/**
 * What a call used that asked its model through the door. Whatever works in the cage can write the program's own figures,
 * its usage file among them: they count for nothing beside what the door counted or could not count, and their dollars
 * only where they are more than the user's prices say.
 */
export function countOutside(driver: Pick<Driver, 'billing' | 'prices'>, byDoor: Counted, told: Counted): Counted {
  if (byDoor.tokensIn === null) return { ...byDoor, usd: null };
  const priced = usageOf(driver, { ...byDoor, usd: null }).usd;
  return { ...byDoor, usd: told.usd === null || priced === null ? (told.usd ?? priced) : Math.max(told.usd, priced) };
}

const USAGE_FILE = '.andon-usage.json';
/** The largest usage report that is read: figures of a call by model and agent. */
const MOST_OF_USAGE = 1024 * 1024;

/** Where a program writes what it used, in its private home. */
export const usageFile = (own: PrivateFolder): string => `${own.folder('home')}/${USAGE_FILE}`;

/** What a program wrote of its usage when it ended; undefined where its driver asks for no such file, or it holds none. */
export function usageInFile({ usage }: DriverOutput, own: PrivateFolder): Counted | undefined {
  if (usage?.file !== true) return undefined;
  const told = valueIn(own.read(`home/${USAGE_FILE}`, MOST_OF_USAGE) ?? '');
  return told === undefined ? undefined : countedIn(told, usage);
}

function whyNot(driver: Driver, ending: Ending, story: DriverStory, now: Now): AgentFailure | undefined {
  const { name, exits } = driver;
  const early = endedEarly(name, ending);
  const said = saidBy(ending, story);
  // A stall in the middle of retries is one of the service, not of the agent, where its words say which.
  if (early?.kind === 'stall' && story.isInTrouble)
    return (
      because(driver, ending, said, now, `got no answer and tried again: ${shown(story.troubles.at(-1) ?? '')}`) ??
      early
    );
  if (early !== undefined) return early;
  const signal = endedBySignal(ending);
  if (signal !== undefined) return failed('crash', `${name} was ended from outside by ${signal}`, ending);
  const isWell = exits.ok.includes(ending.exit ?? -1);
  if (story.failed !== undefined || !isWell) {
    const words = shown(story.failed ?? '') || shown(lastWords(ending.stderr)) || shown(story.plain);
    const ended = `${isWell ? 'says that it failed' : `ended with exit code ${ending.exit ?? '?'}`}${words === '' ? '' : `: ${words}`}`;
    return because(driver, ending, said, now, ended) ?? failed('crash', `${name} ${ended}`, ending);
  }
  if (!ending.utf8) return failed('unreadable', `what ${name} printed is not valid UTF-8`, ending);
  if (story.unreadable !== undefined)
    return failed(
      'unreadable',
      `${name}: ${story.unreadable}${story.plain === '' ? '' : `: ${shown(story.plain)}`}`,
      ending,
    );
  if (!story.isDone) {
    const ended = `ended with exit code ${ending.exit ?? '?'} and never said that it was done`;
    return because(driver, ending, said, now, ended) ?? failed('crash', `${name} ${ended}`, ending);
  }
  return undefined;
}

/** A clean end without an answer; what it grumbled about on the way may say why. */
function emptyOrKnown(driver: Driver, ending: Ending, story: DriverStory, now: Now): AgentFailure {
  const ended = `ended well with an empty answer${ending.stderr.trim() === '' ? '' : `; it says ${shown(lastWords(ending.stderr))}`}`;
  return (
    because(driver, ending, saidBy(ending, story), now, ended) ?? failed('empty', `${driver.name} ${ended}`, ending)
  );
}

/** Everything a program said about its failure; never what a model answered. */
const saidBy = ({ stderr }: Ending, { failed: words, troubles }: DriverStory): string =>
  [
    stderr.trimEnd().split('\n').slice(-STDERR_LINES).join('\n').slice(-STDERR_CHARACTERS),
    ...troubles,
    words ?? '',
  ].join('\n');

/** The failure that the words, or else the exit code, stand for; undefined when they stand for none. */
function because(
  { name, causes, exits }: Driver,
  ending: Ending,
  said: string,
  now: Now,
  ended: string,
): AgentFailure | undefined {
  const { exit } = ending;
  const cause =
    causes.find(({ fits }) => fits(said)) ?? BY_EXIT.find(({ code }) => exit !== null && exits[code].includes(exit));
  if (cause === undefined) return undefined;
  const why = failed(cause.kind, `${name} ${ended}${cause.remedy === undefined ? '' : `; ${cause.remedy}`}`, ending);
  const until = cause.kind === 'unavailable' ? resetTime(said, now) : undefined;
  return until === undefined ? why : { ...why, until };
}

/** What the exit codes stand for that a driver lists. */
const BY_EXIT = [
  { code: 'refused', kind: 'refused', remedy: undefined },
  { code: 'unavailable', kind: 'unavailable', remedy: undefined },
  { code: 'tooLong', kind: 'too-long', remedy: undefined },
] as const;

const shown = (words: string): string => inOneTerminalLine(words, 300);
