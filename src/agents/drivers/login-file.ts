import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject, parseJson } from '../../base/json-object.ts';
import { createSecretMasker, rememberSecrets } from '../../base/known-secrets.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { sha256 } from '../../base/sha256.ts';
import { quoteForShell } from '../../base/shell-word.ts';
import { splitSecretValue } from '../../project/config/collect-secret-values.ts';
import type { CallOutcome } from '../agent.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { syncAll } from '../../base/system/durable.ts';
import { createFailure } from './agent-program.ts';
import { compareLogins, isBeyondLogin } from './login-identity.ts';
import type { PrivateFolder } from './private-folder.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** A login at the start of a call. */
export interface Login {
  /** The path below the user's home, and below the private one. */
  readonly file: string;
  /** The path behind a link; the user's link stays a link. */
  readonly place: string;
  readonly text: string;
}

/** Limit of bytes of a login: tokens of a subscription have some thousand characters. */
const MOST_OF_LOGIN = 256 * 1024;

/** The user's login, below the home folder; or why it cannot be used. */
export function readLogin(home: string, file: string): Outcome<Login, string> {
  let place: string;
  try {
    place = realpathSync(join(home, file));
  } catch {
    return failure(`~/${file} is not there`);
  }
  const read = openDir(dirname(place)).text(basename(place), MOST_OF_LOGIN);
  if (!read.ok) return failure(`~/${file} ${read.why}`);
  const text = read.value ?? '';
  const value = parseJson(text);
  if (!isObject(value)) return failure(`~/${file} holds no JSON object`);
  if (isBeyondLogin(value)) return failure(`~/${file} is nested too deeply for a login`);
  const secrets = secretsOf(text);
  if (secrets === undefined) return failure(`~/${file} has more or longer values than a login`);
  rememberSecrets(secrets);
  return success({ file, place, text });
}

/** Limits of a login's values, their length, and their total: searching for them takes time. */
const MOST_VALUES = 64;
const LONGEST_VALUE = 8 * 1024;
const MOST_CHARACTERS = 32 * 1024;

/** The secrets of a login; undefined where they exceed the limits. */
function secretsOf(login: string): readonly string[] | undefined {
  const values = [...new Set(splitSecretValue(login))];
  const isMore = values.length > MOST_VALUES || values.some(({ length }) => length > LONGEST_VALUE);
  return isMore || values.reduce((sum, { length }) => sum + length, 0) > MOST_CHARACTERS ? undefined : values;
}

/** Whose login works for which program, and where. */
interface LentLogin {
  readonly name: string;
  readonly login: Login;
  readonly own: PrivateFolder;
}

/**
 * Runs a program with a copy of the user's login in its private home. The user's file is never written. A changed copy
 * is kept aside, even after an error, and a notice says how to take it. No answer contains a login. The work of a
 * program that leaves the login of another account does not count.
 */
export async function withLogin(
  { name, login, own }: LentLogin,
  run: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  own.write(`home/${login.file}`, login.text);
  let settled: Settlement | undefined;
  let result: CallOutcome;
  try {
    result = await run();
  } finally {
    settled = await readAndSettle(login, () => own.read(`home/${login.file}`, MOST_OF_LOGIN));
  }
  const { left, change } = settled;
  const holdsSecret = createSecretFinder([login.text, left]);
  if (!result.ok) {
    const { why } = result;
    const detail = holdsSecret(why.detail) ? `${name} failed, in words that hold a part of your login` : why.detail;
    return failure({ ...why, detail: change === undefined ? detail : `${detail}; ${change.sentence}` });
  }
  const { text, edited = [], ...rest } = result.value;
  const written = [
    JSON.stringify(rest),
    text,
    ...edited.flatMap((one) => ('content' in one ? [one.path, one.content ?? ''] : [one.path])),
  ];
  const fault = written.some(holdsSecret)
    ? `what ${name} wrote holds a part of your login; nothing of it is taken`
    : change?.isBad === true && `${name}: ${change.sentence}; nothing of what it wrote is taken`;
  if (fault !== false)
    return failure({ ...createFailure('refused', fault, rest), ...rest, kind: 'refused', detail: fault });
  return change === undefined ? result : success({ ...result.value, notice: `${name}: ${change.sentence}` });
}

interface LoginNotice {
  readonly sentence: string;
  /** What it left proves that it does not work for the user. */
  readonly isBad: boolean;
}

/** The login that a program left, and what to do about it. */
interface Settlement {
  readonly left: string | undefined;
  readonly change: LoginNotice | undefined;
}

/** Handles the login that a program left. An error here does not change the outcome of the call; the file is kept. */
async function readAndSettle(login: Login, read: () => string | undefined): Promise<Settlement> {
  let left: string | undefined;
  try {
    left = read();
    return { left, change: await settleLogin(login, left) };
  } catch (error) {
    const why = `the login that it left cannot be read (${toErrorLine(error)}); yours is unchanged`;
    const isKept = left !== undefined && (await keepAside(login, left)).ok;
    return { left, change: { sentence: isKept ? `${why}; ${askAbout(login)}` : why, isBad: true } };
  }
}

/**
 * Returns a notice about the login that a program left; undefined when nothing is to be done. The user's file never
 * changes: a file written in a cage proves no account. A renewed login is kept beside it, readable by the user alone.
 */
export async function settleLogin(login: Login, left: string | undefined): Promise<LoginNotice | undefined> {
  const change = compareLogins(login.text, left);
  if (left === undefined || change.is === 'invalid' || secretsOf(left) === undefined)
    return { sentence: 'the login that it left is invalid; yours is unchanged', isBad: true };
  if (change.is === 'same') return undefined;
  if (change.is === 'foreign')
    return {
      sentence: `the login that it left belongs to another account (${toTerminalLine(change.claim, 80)} differs); yours is unchanged`,
      isBad: true,
    };
  const kept = await keepAside(login, left);
  if (kept.ok) return { sentence: askAbout(login), isBad: false };
  const todo = 'if yours works no more, log in once without andon';
  return { sentence: `your login was renewed, and the new one could not be kept: ${kept.why}; ${todo}`, isBad: false };
}

/** Keeps the login beside the original, for the user alone; or returns why it cannot. */
async function keepAside(login: Login, left: string): Promise<Outcome<undefined, string>> {
  const door = openDir(dirname(login.place));
  const beside = `.${asideName(login)}.${randomUUID()}`;
  try {
    door.put(beside, left, 0o600);
    await syncAll([door.at(beside)]); // the service may have revoked the old one already
    door.move(beside, asideName(login));
    return success(undefined);
  } catch (error) {
    try {
      door.remove(beside);
    } catch {
      // Its folder is gone.
    }
    return failure(toErrorLine(error));
  }
}

const toErrorLine = (error: unknown): string => toTerminalLine(getErrorMessage(error), 200);

/** Why a login cannot be lent: a renewed one waits for the user, and using the old one again may revoke both. */
export function findPendingRenewal(login: Login): string | undefined {
  const door = openDir(dirname(login.place));
  const own = `${basename(login.place)}${ASIDE}`;
  const current = asideName(login);
  for (const one of door.entries('')) {
    const isAside = one.isFile() && one.name.startsWith(own) && /^[\da-f]{12}$/.test(one.name.slice(own.length));
    if (isAside && one.name !== current) door.remove(one.name); // the user has logged in again
  }
  return door.stat(current) === undefined ? undefined : askAbout(login);
}

const ASIDE = '.andon-';

/** The file name of a renewed login for exactly this one. */
const asideName = ({ place, text }: Login): string => `${basename(place)}${ASIDE}${sha256(text).slice(0, 12)}`;

function askAbout(login: Login): string {
  const aside = quoteForShell(join(dirname(login.place), asideName(login)));
  return `your login was renewed in the cage, where an agent could have put its own in its place: andon cannot tell, and keeps yours. If you trust what ran there, take the new one: mv ${aside} ${quoteForShell(login.place)}. If not, log in again without andon, then: rm -f ${aside}`;
}

/** Makes a function that finds a secret of any of these logins, or a piece of one, in any usual encoding. */
export function createSecretFinder(logins: readonly (string | undefined)[]): (text: string) => boolean {
  const secrets = createSecretMasker(logins.flatMap((login) => secretsOf(login ?? '') ?? [])); // slow: once per call
  return (text) => secrets.mask(text) !== text;
}
