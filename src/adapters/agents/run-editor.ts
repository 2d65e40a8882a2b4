import { failure, success } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Driver } from '../../config/drivers.ts';
import type { EditCall } from '../../config/edit-call.ts';
import type { AgentCall, AgentFailure, CallOutcome, EditPlace } from '../../ports/agent.ts';
import type { Enclosure } from '../processes/enclosed.ts';
import type { RunProgram } from '../processes/run.ts';
import { NOTHING_RAN, createFailure } from './agent-program.ts';
import type { ProxyClosed, ProxyState } from './proxy-budget.ts';
import { countOutside, readDriverOutcome, usageFilePath, readUsageFile, readDriverUsage } from './driver-outcome.ts';
import { followProgram } from './follow-program.ts';
import { fillArguments, fillPlaceholders, freshHome, writeHomeFiles, type Values } from './fill-placeholders.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Now } from './reset-time.ts';

/** A program that goes on this long after its door closed is ended. */
const AFTER_CLOSING_MS = 20_000;

/** The resources of a call that edits: its copy, its home, its door. */
export interface EditorWorkspace {
  readonly place: EditPlace;
  readonly own: PrivateFolder;
  readonly model: string;
  readonly dummy: string;
  readonly address: string;
  readonly state: ProxyState;
  readonly isCaged: boolean;
  readonly socketFolder: string;
}

/** Runs the program to its end; the door's reason for a failure precedes its own. */
export async function runEditor(
  driver: Driver,
  edit: EditCall,
  call: AgentCall,
  { place, own, model, dummy, address, state, isCaged, socketFolder }: EditorWorkspace,
  { run, enclosure, now }: { readonly run: RunProgram; readonly enclosure: Enclosure; readonly now: () => Now },
): Promise<CallOutcome> {
  const home = own.folder('home');
  const { via } = driver.prompt;
  const values: Values = {
    model,
    home,
    door: address,
    key: dummy,
    prompt: via === 'argument' ? call.prompt : undefined,
    usage_file: usageFilePath(own),
    prompt_file: via === 'file' ? own.write('home/.andon-prompt.txt', call.prompt) : undefined,
  };
  writeHomeFiles(own, fillPlaceholders(edit.homeFiles, values));
  const enclosed = enclosure.enclose({
    program: driver.program,
    args: [...driver.args, ...fillArguments(edit.args, values)],
    env: { ...fillPlaceholders(edit.env, values), ...freshHome(home) },
    tree: place.folder,
    home,
    temporary: own.folder('tmp'),
    door: isCaged ? socketFolder : undefined,
  });
  if (!enclosed.ok) return failure(createFailure('missing', enclosed.why, NOTHING_RAN));
  const following = followProgram(edit.output, call.show);
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
    const told = readUsageFile(edit.output, own) ?? story.counted;
    const counted = state.requests() > 0 ? countOutside(driver, state.counted(), told) : told;
    const usage = readDriverUsage(driver, counted);
    if (closed !== undefined && (ending.ended !== 'aborted' || isStopped()))
      return failure({
        ...createFailure(closed.kind, '', ending),
        ...closed,
        detail: `${driver.name} ${closed.detail}`,
        ...usage,
      });
    if (ending.ended === 'exited' && !isBuilt()) {
      const last = toTerminalLine(ending.stderr.trim().split('\n').at(-1) ?? '', 300);
      return failure(createFailure('refused', `no cage could be built around ${driver.name}: ${last}`, ending));
    }
    const outcome = readDriverOutcome(driver, ending, { ...story, counted }, call, now());
    if (outcome.ok) return success({ ...outcome.value, ...usage });
    return failure({ ...withoutAnswer(outcome.why, state.trouble()), ...usage });
  } finally {
    clearInterval(watch);
    clearTimeout(fuse);
  }
}

/** Failures that do not name their cause. */
const SAYS_NOTHING: ReadonlySet<AgentFailure['kind']> = new Set(['crash', 'empty', 'unreadable', 'stall']);

/** Why a call without a final answer failed: the program itself reports it badly, or not at all. */
function withoutAnswer(why: AgentFailure, trouble: ProxyClosed | undefined): AgentFailure {
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
