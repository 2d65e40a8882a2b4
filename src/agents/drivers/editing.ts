import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { findCrashReason } from '../../base/crash-reason.ts';
import { PROXY_VARIABLES } from '../../base/environment-variables.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Driver } from '../../project/config/read-driver.ts';
import type { EditCall } from '../../project/config/edit-call.ts';
import type { AgentCall, AgentFailure, CallOutcome, EditPlace, Editing, FailureReason, Transcript } from '../agent.ts';
import type { RunProgram } from '../../sandbox/processes/run.ts';
import { makeSocketFolder } from '../../base/system/socket-folder.ts';
import { createFailure, failCall, followedCall, NO_USAGE } from './agent-program.ts';
import { ProxyState } from './proxy-budget.ts';
import { countOutside, readDriverOutcome, readDriverUsage, readUsageFile, usageFilePath } from './driver-outcome.ts';
import type { UsageCount } from './event-rules.ts';
import { fillArguments, fillPlaceholders, freshHome, writeHomeFiles, type Values } from './fill-placeholders.ts';
import type { PrivateFolder } from './private-folder.ts';
import { followProgram } from './follow-program.ts';
import { readLogin, findPendingRenewal, withLogin, type Login } from './login-file.ts';
import { openLoginTunnel } from './login-tunnel.ts';
import { openModelProxy, type ProxyConfig } from './model-proxy.ts';
import type { Now } from './reset-time.ts';
import { NOT_BUILT } from '../../sandbox/cage/retry-until-started.ts';
import type { Enclosure } from '../../sandbox/processes/command.ts';

/** A program that goes on this long after its door closed is ended. */
const AFTER_CLOSING_MS = 20_000;

/** The longest that a timer of Node.js can run, in ms. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The surroundings of a program that edits. */
export interface EditingContext {
  readonly run: RunProgram;
  /** Where its copy of the project is made. */
  readonly enclosure: Enclosure;
  /** Where its key and the network proxy are looked up; none of it enters the cage. */
  readonly env: Readonly<Record<string, string>>;
  readonly privateFolder: () => PrivateFolder;
  readonly now: () => Now;
}

/** The editing of a driven program; undefined where its driver has no such call. */
export function createEditing(
  driver: Driver,
  { enclosure, env }: Pick<EditingContext, 'enclosure' | 'env'>,
): Editing | undefined {
  const { edit } = driver.calls;
  if (edit === undefined) return undefined;
  return {
    usesLogin: edit.login !== undefined,
    hide: edit.hide,
    async unavailable() {
      const access = await prepareAccess(driver, edit, { enclosure, env });
      return access.ok ? undefined : access.why;
    },
  };
}

/** How a program is let to its model: by a key that the door inserts, or by a login that enters the cage. */
interface ModelAccess {
  readonly key?: string | undefined;
  readonly login?: Login;
}

/** The access of a program that can edit on this machine; or why it cannot, with a remedy. */
async function prepareAccess(
  driver: Driver,
  edit: EditCall,
  { enclosure, env }: Pick<EditingContext, 'enclosure' | 'env'>,
): Promise<Outcome<ModelAccess, string>> {
  const { name } = driver;
  if (enclosure.cage === undefined && !edit.mayBeUncaged)
    return failure(
      `${name} works on files only in a cage, and your configuration says \`cage: none\`; write \`cage: bubblewrap\`, or consent to what it may do as you: agents.${name}.calls.edit.uncaged: true`,
    );
  const why = await enclosure.unavailable();
  if (why !== undefined) return failure(why);
  if (edit.login === undefined) {
    const key = keyOf(driver, edit, env);
    return key.ok ? success({ key: key.value }) : key;
  }
  const login = loginOf(driver, edit.login, { enclosure, env });
  return login.ok ? success({ login: login.value }) : login;
}

/**
 * A call in which a program works on a copy of the project: in the cage, in a private home, with the model door as its
 * only network. Success needs the right exit code, the final event, an answer, and a changed copy.
 */
export async function runEditing(
  driver: Driver,
  edit: EditCall,
  call: AgentCall & { readonly edit: EditPlace },
  around: EditingContext,
): Promise<CallOutcome> {
  const { name } = driver;
  const access = await prepareAccess(driver, edit, around);
  if (!access.ok) return failCall('refused', access.why);
  const { key, login } = access.value;
  const own = around.privateFolder();
  const socketFolder = makeSocketFolder();
  const model = call.model === '' ? (driver.model ?? '') : call.model;
  const dummy = `andon-${randomBytes(16).toString('hex')}`;
  const isCaged = around.enclosure.cage !== undefined;
  const priceOf = (counted: UsageCount): number | null => readDriverUsage(driver, counted).usd;
  const budget = { requests: edit.door.mostRequests, tokens: call.maxTokens, usd: call.maxUsd, priceOf };
  const state = new ProxyState(budget, around.now);
  try {
    const at = isCaged ? { socket: join(socketFolder, 'socket') } : ('loopback' as const);
    const door = await openWay(edit, call, { key, model, dummy, at, env: around.env }, state);
    try {
      const address = `http://127.0.0.1:${door.port ?? around.enclosure.port}`;
      const values = { model, key: dummy, door: address };
      const socket = isCaged ? socketFolder : undefined;
      const work = async (): Promise<CallOutcome> => {
        const ended = await runEditor(driver, edit, call, { own, values, state, socketFolder: socket }, around);
        return ended.ok ? await withChanges(name, ended.value, call.edit) : ended;
      };
      return login === undefined ? await work() : await withLogin({ name, login, own }, work);
    } finally {
      await door.close();
    }
  } finally {
    rmSync(socketFolder, { recursive: true, force: true });
    own.remove();
  }
}

/** Opens the one way out: the model door, or for a login the tunnel to its hosts. */
function openWay(
  edit: EditCall,
  { idleMs, hardMs, signal }: AgentCall,
  { key, model, dummy, at, env }: Pick<ProxyConfig, 'key' | 'model' | 'dummy' | 'at'> & Pick<EditingContext, 'env'>,
  state: ProxyState,
) {
  if (edit.login !== undefined) {
    const ends = AbortSignal.any([signal, AbortSignal.timeout(Math.min(hardMs, LONGEST_TIMER))]);
    return openLoginTunnel({ hosts: edit.login.hosts, at, idleMs, ends }, state);
  }
  const { to, keyHeader, pins } = edit.door;
  const proxies = Object.fromEntries(PROXY_VARIABLES.flatMap((way) => (env[way] ? [[way, env[way]]] : [])));
  return openModelProxy({ to, key, keyHeader, pins, model: modelAtDoor(model), dummy, at, idleMs, proxies }, state);
}

/** The outcome with the changes in the copy; none is a failure. */
async function withChanges(name: string, answer: Transcript, place: EditPlace): Promise<CallOutcome> {
  const edited = await place.changes();
  if (edited.length > 0) return success({ ...answer, edited });
  const { text, tokensIn, tokensOut, usd } = answer;
  const words = `${name} ended well and changed nothing; its last words: ${toTerminalLine(text, 200)}`;
  return failure({ ...createFailure('unchanged', words, answer), tokensIn, tokensOut, usd });
}

/** The resources of a call that edits: its home, its values, its door. */
interface EditorWorkspace {
  readonly own: PrivateFolder;
  readonly values: Values;
  readonly state: ProxyState;
  readonly socketFolder: string | undefined;
}

/** Runs the program to its end; the door's reason for a failure precedes its own. */
async function runEditor(
  driver: Driver,
  edit: EditCall,
  call: AgentCall & { readonly edit: EditPlace },
  { own, values: given, state, socketFolder }: EditorWorkspace,
  { run, enclosure, now }: EditingContext,
): Promise<CallOutcome> {
  const home = own.folder('home');
  const { via } = driver.prompt;
  const values: Values = {
    ...given,
    home,
    prompt: via === 'argument' ? call.prompt : undefined,
    usage_file: usageFilePath(own),
    prompt_file: via === 'file' ? own.write('home/.andon-prompt.txt', call.prompt) : undefined,
  };
  writeHomeFiles(own, fillPlaceholders(edit.homeFiles, values));
  const enclosed = enclosure.enclose({
    program: driver.program,
    args: [...driver.args, ...fillArguments(edit.args, values)],
    env: { ...fillPlaceholders(edit.env, values), ...freshHome(home) },
    tree: call.edit.folder,
    home,
    temporary: own.folder('tmp'),
    door: socketFolder,
  });
  if (!enclosed.ok) return failCall('missing', enclosed.why);
  const { isBuilt, ...start } = enclosed.value;
  const following = followProgram(edit.output, call.show);
  const stop = new AbortController();
  let fuse: NodeJS.Timeout | undefined;
  const watch = setInterval(() => {
    if (state.closed() !== undefined) fuse ??= setTimeout(() => stop.abort(), AFTER_CLOSING_MS);
  }, 500);
  let seen = 0;
  const throughDoor = (): Promise<string | undefined> => {
    const before = seen;
    seen = state.bytes();
    return Promise.resolve(seen > before ? 'bytes of its model' : undefined);
  };
  try {
    const ending = await run({
      ...start,
      worksIn: call.edit.folder,
      input: via === 'stdin' ? call.prompt : '',
      ...followedCall(call, following, driver.end),
      signal: AbortSignal.any([call.signal, stop.signal]),
      alsoAlive: { says: throughDoor },
    });
    const closed = state.closed();
    const story = following.story();
    const count = readUsageFile(edit.output, own) ?? story.counted;
    const isByDoor = edit.login === undefined && (enclosure.cage !== undefined || state.requests() > 0);
    const counted = isByDoor ? countOutside(driver, state.counted(), count) : count;
    const known = ending.ended === 'missing' ? NO_USAGE : readDriverUsage(driver, counted);
    const usage = isByDoor ? { ...known, estimate: readDriverUsage(driver, state.estimated()) } : known;
    if (closed !== undefined && (ending.ended !== 'aborted' || !call.signal.aborted))
      return failure({
        ...createFailure(closed.kind, '', ending),
        ...closed,
        detail: `${driver.name} ${closed.detail}`,
        ...usage,
      });
    // With another exit it was ended from outside, maybe in the middle of its work.
    if (ending.ended === 'exited' && ending.exit === NOT_BUILT && !isBuilt()) {
      const last = toTerminalLine(findCrashReason(ending.stderr), 300);
      return failCall('refused', `no cage could be built around ${driver.name}: ${last}`, ending);
    }
    const outcome = readDriverOutcome(driver, ending, { ...story, counted }, call, now());
    if (outcome.ok) return success({ ...outcome.value, ...known });
    return failure({ ...withoutAnswer(outcome.why, state.trouble()), ...usage });
  } finally {
    clearInterval(watch);
    clearTimeout(fuse);
  }
}

/** Failures that do not name their cause. */
const SAYS_NOTHING: ReadonlySet<AgentFailure['kind']> = new Set(['crash', 'empty', 'unreadable', 'stall']);

/** Why a call without a final answer failed: the program itself reports it badly, or not at all. */
function withoutAnswer(why: AgentFailure, trouble: FailureReason | undefined): AgentFailure {
  const says = !SAYS_NOTHING.has(why.kind);
  if (trouble === undefined || (says && why.kind !== 'unavailable' && why.kind !== 'refused')) return why;
  return {
    ...why,
    kind: says ? why.kind : trouble.kind,
    detail: `${why.detail}; it ${trouble.detail}`,
    until: why.until ?? trouble.until,
  };
}

/** The key that the door inserts, or why a needed key is missing. */
function keyOf(
  { name, env: own }: Driver,
  { door }: EditCall,
  env: Readonly<Record<string, string>>,
): Outcome<string | undefined, string> {
  const values = { ...env, ...own };
  const key = door.keyEnv.map((variable) => values[variable] ?? '').find((value) => value !== '');
  return key === undefined && door.keyEnv.length > 0
    ? failure(`${name} has no key for the model door: set ${door.keyEnv.join(' or ')}`)
    : success(key);
}

/** The login that enters the cage, or why it may not. */
function loginOf(
  { name }: Driver,
  { file }: NonNullable<EditCall['login']>,
  { enclosure, env }: Pick<EditingContext, 'enclosure' | 'env'>,
): Outcome<Login, string> {
  if (enclosure.cage === undefined)
    return failure(`${name} is given your login only in a cage; write \`cage: bubblewrap\``);
  if (env['HTTPS_PROXY'] || env['https_proxy'])
    return failure(
      `${name} cannot use your login behind HTTPS_PROXY; take agents.${name}.calls.edit.with_login away and set its key`,
    );
  const read = readLogin(env['HOME'] ?? '', file);
  if (!read.ok) return failure(`${name} has no login to bring: ${read.why}; log in once without andon`);
  const open = findPendingRenewal(read.value);
  return open === undefined ? read : failure(`${name} waits for you: ${open}`);
}

/** Some programs want `provider/model`; the service knows only the last part. */
const modelAtDoor = (model: string): string => model.slice(model.lastIndexOf('/') + 1);
