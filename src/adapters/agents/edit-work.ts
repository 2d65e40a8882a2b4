import { failure, success } from '../../base/outcome.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { Driver } from '../../config/drivers.ts';
import type { EditCall } from '../../config/edit-call.ts';
import type { AgentCall, AgentFailure, CallOutcome, EditPlace } from '../../ports/agent.ts';
import type { Enclosure } from '../processes/enclosed.ts';
import type { RunProgram } from '../processes/run.ts';
import { NOTHING_RAN, failed } from './agent-program.ts';
import type { Closed, DoorState } from './door-state.ts';
import { countOutside, driverOutcome, usageFile, usageInFile, usageOf } from './driver-outcome.ts';
import { driverStory } from './driver-story.ts';
import { argumentsOf, filledIn, freshHome, written } from './filling.ts';
import type { Values } from './filling.ts';
import type { PrivateFolder } from './private-folder.ts';
import type { Now } from './reset-time.ts';

/** A program that goes on this long after its door closed is ended. */
const AFTER_CLOSING_MS = 20_000;

/** The resources of a call that edits: its copy, its home, its door. */
export interface Ready {
  readonly place: EditPlace;
  readonly own: PrivateFolder;
  readonly model: string;
  readonly dummy: string;
  readonly address: string;
  readonly state: DoorState;
  readonly isCaged: boolean;
  readonly socketFolder: string;
}

/** Runs the program to its end; the door's reason for a failure precedes its own. */
export async function work(
  driver: Driver,
  edit: EditCall,
  call: AgentCall,
  { place, own, model, dummy, address, state, isCaged, socketFolder }: Ready,
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
    const counted =
      edit.login === undefined && state.requests() > 0 ? countOutside(driver, state.counted(), told) : told;
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

/** Failures that do not name their cause. */
const SAYS_NOTHING: ReadonlySet<AgentFailure['kind']> = new Set(['crash', 'empty', 'unreadable', 'stall']);

/** Why a call without a final answer failed: the program itself reports it badly, or not at all. */
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
