import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { valueIn } from '../../base/json-object.ts';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { CallOutcome } from '../../ports/agent.ts';
import { doorTo } from '../door.ts';
import { syncAll } from '../durable.ts';
import { failed } from './agent-program.ts';
import type { PrivateFolder } from './private-folder.ts';

/** A login as it was when a call began. */
export interface Login {
  /** Where it really lies; a link of the user's to it stays one. */
  readonly place: string;
  readonly text: string;
}

/** Does what only one process of this user may be at; false, and nothing done, while another one is. */
export type Alone = (folder: string, name: string, work: () => Promise<void>) => Promise<boolean>;

/** The most of a login that is read, in bytes: tokens of a subscription have some thousand characters. */
const MOST_OF_LOGIN = 256 * 1024;
/** Shorter words of a login (a kind of account, a name of a plan) are no secret. */
const SHORTEST_SECRET = 20;
const LOCK = '.andon-login.lock';
/** Whoever holds the lock writes one small file. */
const TRIES = 50;
const PAUSE_MS = 100;

/** The user's login, below his home; or in words why there is none that can be used. */
export function readLogin(home: string, file: string): Outcome<Login, string> {
  let place: string;
  try {
    place = realpathSync(join(home, file));
  } catch {
    return failure(`~/${file} is not there`);
  }
  const read = doorTo(dirname(place)).text(basename(place), MOST_OF_LOGIN);
  if (!read.ok) return failure(`~/${file} ${read.why}`);
  const text = read.value ?? '';
  return keysOf(text) === undefined ? failure(`~/${file} holds no JSON object`) : success({ place, text });
}

/** Whose login works for which program, and where. */
export interface LentLogin {
  readonly name: string;
  readonly login: Login;
  /** Below the user's home, and in the same place below the private one. */
  readonly file: string;
  readonly own: PrivateFolder;
  readonly alone: Alone;
}

/**
 * Runs a program with the user's login in its private home. A login that was made new is kept beside the user's, also where
 * looking at what the program did fails; it stands in no answer, and the user is told.
 */
export async function withLogin(
  { name, login, file, own, alone }: LentLogin,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  own.write(`home/${file}`, login.text);
  let left: string | undefined;
  let notTaken: string | undefined;
  let result: CallOutcome;
  try {
    result = await run();
  } finally {
    left = own.read(`home/${file}`, MOST_OF_LOGIN);
    notTaken = await takeBack(login, left, alone);
  }
  const tells = (text: string): boolean => holdsSecret(text, [login.text, left]);
  if (!result.ok) {
    const { why } = result;
    const detail = tells(why.detail) ? `${name} failed, in words that hold a part of your login` : why.detail;
    return failure({ ...why, detail: notTaken === undefined ? detail : `${detail}; ${notTaken}` });
  }
  const { text, edited = [], ...rest } = result.value;
  const told = [text, ...edited.flatMap((one) => ('content' in one ? [one.path, one.content ?? ''] : [one.path]))];
  const bad = told.some(tells)
    ? `what ${name} wrote holds a part of your login; nothing of it is taken`
    : isLikeLogin(login.text, left)
      ? undefined
      : notTaken && `${name}: ${notTaken}`;
  if (bad !== undefined) return failure({ ...failed('refused', bad, rest), ...rest, kind: 'refused', detail: bad });
  return notTaken === undefined ? result : success({ ...result.value, notice: `${name}: ${notTaken}` });
}

/**
 * Looks at what a program has left of a login. The user's own is never written over: that a newer one is of the same account
 * only its service could say, because whoever works in the cage can write any name into it. A newer one of the same shape
 * is kept beside the user's, for the user alone, and the sentence says how to take it. Nothing is thrown.
 */
export async function takeBack(
  { place, text }: Login,
  left: string | undefined,
  alone: Alone,
): Promise<string | undefined> {
  if (left === text) return undefined;
  if (!isLikeLogin(text, left)) return 'what it left of your login is none; yours is as it was';
  const door = doorTo(dirname(place));
  const beside = `.${basename(place)}.andon-new`;
  const write = async (): Promise<void> => {
    door.remove(beside);
    door.put(beside, left, 0o600);
    await syncAll([door.at(beside)]);
  };
  try {
    for (let tries = TRIES; tries > 0; tries -= 1) {
      if (await alone(door.folder, LOCK, write))
        return `the login was made new in the cage, and only you can say whether it is still your account; yours is as it was. To take the new one: mv ${inOneTerminalLine(door.at(beside), 300)} ${inOneTerminalLine(place, 300)}; else log in once without andon if yours works no more`;
      await sleep(PAUSE_MS);
    }
  } catch (error) {
    return notKept(error instanceof Error ? error.message : String(error));
  }
  return notKept(`${join(door.folder, LOCK)} is held by another process`);
}

/** Whether what was left is a login of the same shape. */
const isLikeLogin = (text: string, left: string | undefined): left is string =>
  left !== undefined && keysOf(left) === keysOf(text);

const notKept = (why: string): string =>
  `the login was made new in the cage, and the new one could not be kept: ${inOneTerminalLine(why, 200)}; if yours works no more, log in once without andon`;

/** Whether a text holds a secret of any of these logins. */
export function holdsSecret(text: string, logins: readonly (string | undefined)[]): boolean {
  return logins.some((login) => secretsOf(valueIn(login ?? '')).some((secret) => text.includes(secret)));
}

/** Every long word of a login; names of keys are none. */
function secretsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= SHORTEST_SECRET ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsOf) : [];
}

/** The keys of a login, by which one is known as a newer one of the same kind; undefined where there is no object. */
function keysOf(text: string): string | undefined {
  const value = valueIn(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.keys(value).toSorted().join('\n') : undefined;
}
