import { toTerminalLine } from '../../../base/plain-text.ts';
import { fitToWidth, measureWidth } from '../../../base/text-width.ts';
import { readLine } from '../../../line/readers/read-line.ts';
import { STATUS_PHRASES } from '../../../line/words/view-activity.ts';
import type { LineFacts, QueueView } from '../../../line/words/line-facts.ts';
import type { Request } from '../../../project/requests/request.ts';
import { conflictingOptions, missingArgument } from '../usage-errors.ts';
import { getUserName, type Invocation } from '../command.ts';
import { hasFlag, listGivenOptions, readTextOption, toFlag } from '../options.ts';
import { printJson, printLine, printSentence, colourText } from '../print.ts';
import { getColumns, padToColumn } from '../width.ts';
import { sayOtherInbox, withJournal } from '../tasks.ts';

/** `andon queue`: what waits, in the order in which its turn comes, and what for; `move` and `withdraw` change that. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, env } = invocation;
  const wish = wished(args as readonly (string | undefined)[], options);
  const [request, done] = wish === undefined ? [] : await requestChange(invocation, wish);
  return withJournal(invocation, async (journal, place) => {
    const facts = await readLine(place, journal);
    const text = request === undefined || done === undefined ? undefined : outcome(request, done.reason, facts);
    if (hasFlag(options, 'json'))
      printJson({
        repository: place.facts.root,
        ...(request?.do === 'withdraw' ? { withdrawn_to: done?.reason } : {}),
        task: facts.task === null ? null : { task_id: facts.task.task_id, status: facts.task.status },
        blocked: facts.blocked,
        proposal: facts.proposal,
        ...(facts.proposal_approved === true ? { proposal_approved: true } : {}),
        queue: facts.queue,
      });
    else {
      if (text !== undefined) printSentence(text);
      sayOtherInbox(place);
      show(facts, getColumns(env));
    }
    return 0;
  });
}

type Rearrange = Extract<Request, { do: 'move' | 'withdraw' }>;
type Wish = (by: string) => Rearrange;

/** Only who changes something needs the line itself. */
async function requestChange(invocation: Invocation, wish: Wish) {
  const { requestOrRun } = await import('../ask-watchdog.ts');
  const request = wish(getUserName());
  return [request, await requestOrRun(invocation, request)] as const;
}

function wished(args: readonly (string | undefined)[], options: Invocation['options']): Wish | undefined {
  const [action, contract] = args;
  const before = readTextOption(options, 'before');
  const wheres = listGivenOptions(options, ['first', 'last', 'before']);
  if (action === undefined) return undefined;
  if (contract === undefined || contract === '')
    throw missingArgument('contract', 'andon queue', 'to see all contracts');
  if (action === 'withdraw') return (by) => ({ do: 'withdraw', contract, by });
  const [to, ...others] = wheres;
  if (to === undefined)
    throw missingArgument('--first, --before or --last', `andon queue move ${toTerminalLine(contract, 80)} --first`);
  if (others.length > 0) throw conflictingOptions(wheres.map(toFlag), EXAMPLE);
  return (by) => ({ do: 'move', contract, to, ...(before === undefined ? {} : { before }), by });
}

const EXAMPLE = 'andon queue move FIX-2 --first';

function outcome(request: Rearrange, reason: string, { queue }: LineFacts): string {
  if (request.do === 'withdraw')
    return `Withdrawn to ${toTerminalLine(reason, 200)}. To queue it again, move it back into _handoff/queue/.`;
  const at = queue.findIndex(({ task_id: id }) => id === reason);
  if (at === -1) return `${reason} has begun.`;
  const why =
    request.to === 'first' && at > 0
      ? ': contracts that it waits for stay before it'
      : request.to === 'last' && at < queue.length - 1
        ? ': contracts that wait for it stay behind it'
        : '';
  return `${reason} is number ${at + 1} of ${queue.length} now${why}.`;
}

/** One row each, no wider than the terminal. */
function show({ queue, blocked, proposal, task }: LineFacts, width: number): void {
  if (task !== null) printSentence(`on the line: ${colourText('bold', task.task_id)}  ${STATUS_PHRASES[task.status]}`);
  if (blocked !== null) printSentence(colourText('yellow', `nothing starts: ${toTerminalLine(blocked)}`));
  if (proposal !== null) printSentence(proposal);
  else if (queue.length === 0) printLine('no contract waits.');
  const ids = queue.map(({ task_id: id, file }) => toTerminalLine(id ?? file.replace(/^.*\//, ''), 64));
  const [number, id] = [String(queue.length).length, Math.max(0, ...ids.map(measureWidth))];
  for (const [at, one] of queue.entries()) {
    const head = `${String(at + 1).padStart(number)}  ${padToColumn(ids[at] ?? '', Math.min(id, Math.max(12, width - 40)))}`;
    const row = fitToWidth(`${head}  ${toTerminalLine(one.why, 400)}${marks(one)}`, width);
    printSentence(one.waits_for === 'a correction' ? colourText('yellow', row) : row);
  }
}

/** What else has to do with its place. */
function marks({ priority, by_hand: byHand, file, task_id: id }: QueueView): string {
  const notes = [
    ...(priority === 0 ? [] : [`priority ${priority}`]),
    ...(byHand ? ['put there by hand'] : []),
    ...(id !== null && file.endsWith(`/${id}.json`) ? [] : [toTerminalLine(file, 80)]),
  ];
  return notes.length === 0 ? '' : `  (${notes.join(', ')})`;
}
