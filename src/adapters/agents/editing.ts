import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PROXY_VARIABLES } from '../../base/base-folders.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Driver } from '../../config/drivers.ts';
import type { EditCall } from '../../config/edit-call.ts';
import type { AgentCall, CallOutcome, EditPlace, Editing } from '../../ports/agent.ts';
import type { Enclosure } from '../processes/enclosed.ts';
import type { RunProgram } from '../processes/run.ts';
import { makeSocketFolder } from '../socket-folder.ts';
import { NOTHING_RAN, createFailure } from './agent-program.ts';
import { createProxyState, type ProxyState } from './proxy-budget.ts';
import { readDriverUsage } from './driver-outcome.ts';
import { runEditor } from './run-editor.ts';
import { openModelProxy, type ProxyConfig, type ModelProxy } from './model-proxy.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Now } from './reset-time.ts';

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
  const { name } = driver;
  const { edit } = driver.calls;
  if (edit === undefined) return undefined;
  return {
    hides: edit.hide,
    async unavailable() {
      if (enclosure.cage === undefined && !edit.mayBeUncaged)
        return `${name} works on files only in a cage, and your configuration says \`cage: none\`; write \`cage: bubblewrap\`, or consent to what it may do as you: agents.${name}.calls.edit.uncaged: true`;
      const why = await enclosure.unavailable();
      if (why !== undefined) return why;
      const known = keyOf(driver, edit, env);
      return known.ok ? undefined : known.why;
    },
  };
}

/**
 * A call in which a program works on a copy of the project: in the cage, in a private home, with the model door as its
 * only network. Success needs the right exit code, the final event, an answer, and a changed copy.
 */
export async function runEditing(
  driver: Driver,
  edit: EditCall,
  call: AgentCall,
  place: EditPlace,
  around: EditingContext,
): Promise<CallOutcome> {
  const why = await createEditing(driver, around)?.unavailable();
  if (why !== undefined) return failure(createFailure('refused', why, NOTHING_RAN));
  const own = around.privateFolder();
  const socketFolder = makeSocketFolder();
  const isCaged = around.enclosure.cage !== undefined;
  const priceOf = (counted: Parameters<typeof readDriverUsage>[1]): number | null =>
    readDriverUsage(driver, counted).usd;
  const budget = { requests: edit.door.mostRequests, tokens: call.maxTokens, usd: call.maxUsd, priceOf };
  const state = createProxyState(budget, around.now);
  const model = call.model === '' ? (driver.model ?? '') : call.model;
  const dummy = `andon-${randomBytes(16).toString('hex')}`;
  try {
    await place.layOut(edit.hide);
    const at = isCaged ? { socket: join(socketFolder, 'socket') } : ('loopback' as const);
    const door = await openWay(driver, edit, { model, dummy, at, idleMs: call.idleMs, env: around.env }, state);
    const address = `http://127.0.0.1:${door.port ?? around.enclosure.port}`;
    const ready = { place, own, model, dummy, address, state, isCaged, socketFolder };
    try {
      return await workedOn(driver, edit, call, ready, around);
    } finally {
      await door.close();
    }
  } finally {
    rmSync(socketFolder, { recursive: true, force: true });
    own.remove();
  }
}

/** Works, and reads the changes. */
async function workedOn(
  driver: Driver,
  edit: EditCall,
  call: AgentCall,
  ready: Parameters<typeof runEditor>[3],
  around: EditingContext,
): Promise<CallOutcome> {
  const ended = await runEditor(driver, edit, call, ready, around);
  if (!ended.ok) return ended;
  const files = await ready.place.changes();
  if (files.length > 0) return success({ ...ended.value, edited: files });
  const said = toTerminalLine(ended.value.text, 200);
  const { tokensIn, tokensOut, usd } = ended.value;
  const words = `${driver.name} ended well and changed nothing; its last words: ${said}`;
  const why = createFailure('unchanged', words, ended.value);
  return failure({ ...why, tokensIn, tokensOut, usd });
}

/** Opens the one way out: the model door. */
function openWay(
  driver: Driver,
  edit: EditCall,
  { model, dummy, at, idleMs, env }: Pick<ProxyConfig & EditingContext, 'model' | 'dummy' | 'at' | 'idleMs' | 'env'>,
  state: ProxyState,
): Promise<ModelProxy> {
  const { to, keyHeader, pins } = edit.door;
  const found = keyOf(driver, edit, env);
  const key = found.ok ? found.value : undefined;
  const proxies = Object.fromEntries(PROXY_VARIABLES.flatMap((way) => (env[way] ? [[way, env[way]]] : [])));
  return openModelProxy({ to, key, keyHeader, pins, model: modelAtDoor(model), dummy, at, idleMs, proxies }, state);
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

/** Some programs want `provider/model`; the service knows only the last part. */
const modelAtDoor = (model: string): string => model.slice(model.lastIndexOf('/') + 1);
