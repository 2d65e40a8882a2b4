import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { Driver } from '../../config/drivers.ts';
import type { EditCall } from '../../config/edit-call.ts';
import type { AgentCall, AgentFailure, Transcript } from '../../ports/agent.ts';
import type { EditPlace, Editing } from '../../ports/editing.ts';
import type { Enclosure } from '../processes/enclosed.ts';
import type { RunProgram } from '../processes/run.ts';
import { failed } from './agent-program.ts';
import { doorState } from './door-state.ts';
import type { Closed } from './door-state.ts';
import { driverOutcome, usageOf } from './driver-outcome.ts';
import { driverStory } from './driver-story.ts';
import { argumentsOf, filledIn, freshHome, written } from './filling.ts';
import type { Values } from './filling.ts';
import { openModelDoor } from './model-door.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Now } from './reset-time.ts';
import { usageFile, usageInFile } from './usage-file.ts';

/** What a program that edits is given of the world. */
export interface AroundEdits {
  readonly run: RunProgram;
  readonly enclosure: Enclosure;
  /** Where its key and the way out of the network are looked up; none of it goes into the cage. */
  readonly env: Readonly<Record<string, string>>;
  readonly privateFolder: () => PrivateFolder;
  readonly now: () => Now;
}

/** A program that is let in no more, and does not end by itself, is ended. */
const AFTER_CLOSING_MS = 20_000;
/** The longest path that a socket can have, with some room. */
const LONGEST_SOCKET = 100;
const WAYS_OUT = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** How a driven program is let at the files itself; undefined where its driver has no such call. */
export function editingOf(
  driver: Driver,
  { enclosure, env }: Pick<AroundEdits, 'enclosure' | 'env'>,
): Editing | undefined {
  const { name } = driver;
  const { edit } = driver.calls;
  if (edit === undefined) return undefined;
  return {
    hides: edit.hide,
    async unavailable() {
      if (enclosure.cage === undefined && !edit.mayBeUncaged)
        return `${name} works on files only in a cage, and your configuration says \`cage: none\`; write \`cage: bubblewrap\`, or consent to what it may do as you: agents.${name}.calls.edit.uncaged: true`;
      return (await enclosure.unavailable()) ?? keyOf(driver, edit, env).why;
    },
  };
}

/**
 * A call in which a program works on a copy of the project by itself: in the cage, in a private home, with the model door
 * as its only network. It ended well when program, final event and answer say so and the copy has changed; none of these
 * alone is enough.
 */
export async function runEditing(
  driver: Driver,
  edit: EditCall,
  call: AgentCall,
  place: EditPlace,
  around: AroundEdits,
): Promise<Outcome<Transcript, AgentFailure>> {
  const { name } = driver;
  const why = await editingOf(driver, around)?.unavailable();
  if (why !== undefined) return failure(failed('refused', why, NOTHING_RAN));
  const model = call.model === '' ? (driver.model ?? '') : call.model;
  const { key } = keyOf(driver, edit, around.env);
  const own = around.privateFolder();
  const socketFolder = folderForSocket();
  const isCaged = around.enclosure.cage !== undefined;
  const priceOf = (counted: Parameters<typeof usageOf>[1]): number | null => usageOf(driver, counted).usd;
  const budget = { requests: edit.door.mostRequests, tokens: call.maxTokens, usd: call.maxUsd, priceOf };
  const state = doorState(budget, around.now);
  const dummy = `andon-${randomBytes(16).toString('hex')}`;
  const proxies = Object.fromEntries(WAYS_OUT.flatMap((way) => (around.env[way] ? [[way, around.env[way]]] : [])));
  try {
    await place.layOut(edit.hide);
    const { to, keyHeader, pins } = edit.door;
    const at = isCaged ? { socket: join(socketFolder, 'socket') } : ('loopback' as const);
    const plan = { to, key, keyHeader, pins, model: modelAtDoor(model), dummy, at, idleMs: call.idleMs, proxies };
    const door = await openModelDoor(plan, state);
    try {
      const address = `http://127.0.0.1:${door.port ?? around.enclosure.port}`;
      const ended = await work(
        driver,
        edit,
        call,
        { place, own, model, dummy, address, state, isCaged, socketFolder },
        around,
      );
      if (!ended.ok) return ended;
      const files = await place.changes();
      if (files.length > 0) return success({ ...ended.value, edited: files });
      const said = inOneTerminalLine(ended.value.text, 200);
      const { ms, exit, tokensIn, tokensOut, usd } = ended.value;
      const why = failed('unchanged', `${name} ended well and changed nothing; its last words: ${said}`, { ms, exit });
      return failure({ ...why, tokensIn, tokensOut, usd });
    } finally {
      await door.close();
    }
  } finally {
    rmSync(socketFolder, { recursive: true, force: true });
    own.remove();
  }
}

/** The key that the door puts in, and why there is none where one is needed. */
function keyOf(
  { name, env: own }: Driver,
  { door }: EditCall,
  env: Readonly<Record<string, string>>,
): { readonly key?: string | undefined; readonly why?: string } {
  const values = { ...env, ...own };
  const key = door.keyEnv.map((variable) => values[variable] ?? '').find((value) => value !== '');
  return key === undefined && door.keyEnv.length > 0
    ? { why: `${name} has no key for the model door: set ${door.keyEnv.join(' or ')}` }
    : { key };
}

const NOTHING_RAN = { ms: 0, exit: null };

/** `provider/model`, as some programs want it: the service knows only what comes last. */
const modelAtDoor = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

interface Ready {
  readonly place: EditPlace;
  readonly own: PrivateFolder;
  readonly model: string;
  readonly dummy: string;
  readonly address: string;
  readonly state: ReturnType<typeof doorState>;
  readonly isCaged: boolean;
  readonly socketFolder: string;
}

/** Runs the program to its end, and says how it ended: the door's word goes before its own. */
async function work(
  driver: Driver,
  edit: EditCall,
  call: AgentCall,
  { place, own, model, dummy, address, state, isCaged, socketFolder }: Ready,
  { run, enclosure, now }: AroundEdits,
): Promise<Outcome<Transcript, AgentFailure>> {
  const home = own.folder('home');
  const { via } = driver.prompt;
  const values: Values = {
    model,
    home,
    door: address,
    key: dummy,
    prompt: via === 'argument' ? call.prompt : undefined,
    usage_file: usageFile(own),
    prompt_file: via === 'file' ? own.write('home/.andon-prompt.txt', call.prompt) : undefined,
  };
  written(own, filledIn(edit.homeFiles, values));
  const enclosed = enclosure.enclose({
    program: driver.program,
    args: [...driver.args, ...argumentsOf(edit.args, values)],
    env: { ...filledIn(edit.env, values), ...freshHome(home) },
    tree: place.folder,
    home,
    temporary: own.folder('tmp'),
    door: isCaged ? socketFolder : undefined,
  });
  if (!enclosed.ok) return failure(failed('missing', enclosed.why, NOTHING_RAN));
  const following = driverStory(edit.output);
  const stop = new AbortController();
  const isStopped = (): boolean => stop.signal.aborted && !call.signal.aborted;
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
    const { isBuilt, ...start } = enclosed.value;
    const ending = await run({
      ...start,
      worksIn: place.folder,
      input: via === 'stdin' ? call.prompt : '',
      signal: AbortSignal.any([call.signal, stop.signal]),
      hardMs: call.hardMs,
      idleMs: call.idleMs,
      follow: (chunk) => following.follow(chunk),
      isLife: () => false,
      alsoAlive: { says: throughDoor },
      firstSignal: driver.end.first,
      ...(driver.end.graceMs === undefined ? {} : { graceMs: driver.end.graceMs }),
    });
    const closed = state.closed();
    const story = following.story();
    const told = usageInFile(edit.output, own) ?? story.counted;
    const byDoor = state.counted();
    const counted = byDoor.tokensIn === null ? told : { ...byDoor, usd: told.usd };
    const usage = usageOf(driver, counted);
    if (closed !== undefined && (ending.ended !== 'aborted' || isStopped()))
      return failure({
        ...failed(closed.kind, '', ending),
        ...closed,
        detail: `${driver.name} ${closed.detail}`,
        ...usage,
      });
    if (ending.ended === 'exited' && !isBuilt()) {
      const last = inOneTerminalLine(ending.stderr.trim().split('\n').at(-1) ?? '', 300);
      return failure(failed('refused', `no cage could be built around ${driver.name}: ${last}`, ending));
    }
    const outcome = driverOutcome(driver, ending, { ...story, counted }, call, now());
    if (outcome.ok) return success({ ...outcome.value, ...usage });
    return failure({ ...withoutAnswer(outcome.why, state.trouble()), ...usage });
  } finally {
    clearInterval(watch);
    clearTimeout(fuse);
  }
}

/** Ends that say nothing of their cause. */
const SAYS_NOTHING: ReadonlySet<AgentFailure['kind']> = new Set(['crash', 'empty', 'unreadable', 'stall']);

/** Why a call failed whose program got no answer in the end: it says so badly, or not at all. */
function withoutAnswer(why: AgentFailure, trouble: Closed | undefined): AgentFailure {
  const says = !SAYS_NOTHING.has(why.kind);
  if (trouble === undefined || (says && why.kind !== 'unavailable' && why.kind !== 'refused')) return why;
  const until = why.until ?? trouble.until;
  return {
    ...why,
    kind: says ? why.kind : trouble.kind,
    detail: `${why.detail}; it ${trouble.detail}`,
    ...(until === undefined ? {} : { until }),
  };
}

/** A socket's path is short, whatever folders a user has. */
function folderForSocket(): string {
  const folder = mkdtempSync(join(tmpdir(), 'andon-door-'));
  if (folder.length <= LONGEST_SOCKET - '/socket'.length) return folder;
  rmSync(folder, { recursive: true });
  return mkdtempSync('/tmp/andon-door-');
}
