import { toBranchName, type Status } from '../../base/names.ts';
import { formatComment } from '../../project/requests/comment.ts';
import type { AgentUsage } from '../../agents/agent.ts';
import type { JournalEntry, Moved } from '../record/journal-entry.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { getContractTitle } from './commit-messages.ts';
import { HALT_WORDS } from '../halts/halt-words.ts';
import { formatTakeover, type Takeover } from '../record/implementers.ts';

/** A line of a task's story. */
export interface StoryLine {
  readonly at: string;
  readonly text: string;
}

/** The entries of a task as lines for people, without internal ones. */
export const listStory = (entries: readonly JournalEntry[]): readonly StoryLine[] =>
  entries.flatMap((entry) => {
    const text = formatEntry(entry);
    return text === undefined ? [] : [{ at: entry.at, text }];
  });

/** One journal entry as a line for people; undefined for internal entries. Safe for a terminal. */
export function formatEntry(entry: JournalEntry): string | undefined {
  switch (entry.kind) {
    case 'admitted':
      return `contract admitted: ${toTerminalLine(getContractTitle(entry.contract), 80)}; merges into ${toBranchName(entry.target)}${entry.notices.map((notice) => `; note: ${toTerminalLine(notice, 200)}`).join('')}`;
    case 'started':
      return `${entry.station}${entry.reviewer === undefined ? '' : ` (${toTerminalLine(entry.reviewer, 80)})`}: ${entry.agent}${entry.model === '' ? '' : ` ${toTerminalLine(entry.model, 60)}`} ${entry.lane === undefined ? 'is working' : 'is asked about a rule'}`;
    case 'called':
      return `${entry.station}: ${entry.ok ? 'answered' : toTerminalLine(entry.why ?? 'failed', 160)} in ${seconds(entry.ms)}, ${tokens(entry)}, ${cost(entry.usd)}${denied(entry)}${noticed(entry)}`;
    case 'held':
      return `${entry.station}: waits: ${toTerminalLine(entry.reason, 200)}${entry.until === null ? '' : ` (until ${entry.until})`}`;
    case 'released':
      return 'the line goes on: what it waited for has come';
    case 'interrupted':
      return `${entry.station}: the call under way was interrupted${entry.ms === undefined ? '' : ` after ${seconds(entry.ms)}`}; that is not counted as a failure`;
    case 'moved':
      return `${describeMover(entry)}${tookOver(entry.facts.takeover)}${describeNext(entry)}`;
    case 'merging':
      return undefined;
    case 'notified':
      return entry.failed === undefined
        ? undefined
        : `a notification by ${entry.channel} failed: ${toTerminalLine(entry.failed, 200)}`;
    case 'undone':
      return `undone by ${toTerminalLine(entry.by, 60)}: reverted as ${entry.commit.slice(0, 12)}`;
    case 'cleaned':
      return `cleaned by ${toTerminalLine(entry.by, 60)}: ${entry.refs.length} refs${entry.archive ? ' and its archive' : ''} removed`;
    case 'hooked':
      return undefined;
    case 'paused':
      return `the line is paused by ${toTerminalLine(entry.by, 60)}`;
    case 'unpaused':
      return `${toTerminalLine(entry.by, 60)} lets the line go on`;
    case 'parked':
      return 'set aside: others go on while it waits for your answer';
    case 'taken_up':
      return 'active again';
    case 'ranked': {
      const task = toTerminalLine(entry.task, 80);
      const by = toTerminalLine(entry.by, 60);
      if (entry.to === 'out') return `${task} is withdrawn from the queue by ${by}`;
      const where = entry.to === 'before' ? `before ${toTerminalLine(entry.before[0] ?? '', 80)}` : entry.to;
      return `${task} is put ${where} in the queue by ${by}`;
    }
    case 'canary':
      return entry.missed
        ? `judge: PASSED a change that is known to be bad (${toTerminalLine(entry.flaw, 60)})`
        : `judge: was tried with a change that is known to be bad (${toTerminalLine(entry.flaw, 60)}) and said ${toTerminalLine(entry.verdict, 20)}, as it must`;
    case 'unreadable':
      return `entry ${entry.seq} of the journal cannot be read (${toTerminalLine(entry.why, 200)})`;
    case 'said':
      return `${toTerminalLine(entry.by, 60)} says: ${toTerminalLine(entry.text, 200)}`;
    case 'commented':
      return `${toTerminalLine(entry.by, 60)} comments: ${toTerminalLine(entry.comments.map(formatComment).join('; '), 400)}`;
    case 'remark':
      return toTerminalLine(entry.text, 220);
  }
}

function describeMover({ event, facts: { halt }, reason }: Moved): string {
  if (halt !== undefined)
    return `needs you: ${HALT_WORDS[halt.trip.breaker].phrase}: ${toTerminalLine(halt.trip.reason, 220)}`;
  return `${nameSpeaker(event)}${toTerminalLine(reason, 220)}`;
}

/** Who the reason of a step is from, or that his words do not count; empty where andon says it itself. */
export const nameSpeaker = (event: Moved['event']): string => SPEAKERS[event] ?? '';

/** The events whose reason is somebody's words, or why such words do not count. */
const SPEAKERS: Readonly<Partial<Record<Moved['event'], string>>> = {
  judge_complete: 'judge: ',
  fail_agree: 'floor manager agrees: ',
  fail_disagree: 'floor manager disagrees: ',
  review_unreadable: 'no usable local review: ',
  report_unreadable: 'no usable report of the judge: ',
  report_unproven: 'the judge’s report does not count: ',
};

/** Who works next; a pass, a halt and an end say it themselves. */
function describeNext({ from, to, facts: { change, choice, report, targetMoved } }: Moved): string {
  const { onlyGates, verdict } = choice?.effect ?? {};
  // As the record has it: a change that was carried to a moved target is only checked, unless it had been sent back.
  const isCarried = change !== undefined && targetMoved !== undefined && targetMoved.toFix !== true;
  const isDecided = to === 'review_complete' && verdict !== undefined;
  const next = (onlyGates ?? isCarried) ? 'the gates' : isDecided ? DECIDED[verdict] : NEXT_WORKER[to];
  return from === to || report?.verdict === 'PASS' || next === undefined ? '' : `; next: ${next}`;
}

/** A person has decided in the floor manager's place. */
const DECIDED = { PASS: 'the merge', FAIL: 'the implementer' } as const;

const NEXT_WORKER: Readonly<Partial<Record<Status, string>>> = {
  pending_implementer: 'the implementer',
  pending_local_review: 'the local review',
  pending_judge_review: 'the judge',
  review_complete: 'the floor manager',
};

const tookOver = (takeover: Takeover | undefined): string =>
  takeover === undefined ? '' : `; implementer: ${formatTakeover(takeover)}`;

const noticed = ({ notice }: { readonly notice?: string | undefined }): string =>
  notice === undefined ? '' : `; ${toTerminalLine(notice, 800)}`;

const denied = ({ denials = [] }: { readonly denials?: readonly string[] | undefined }): string =>
  denials.length === 0 ? '' : `; was refused: ${toTerminalLine(denials.join(', '), 120)}`;

const cost = (usd: number | null): string =>
  usd === null ? 'cost unknown' : usd === 0 ? 'no cost' : `$${usd.toFixed(4)}`;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function tokens({ tokensIn, tokensOut }: AgentUsage): string {
  return tokensIn === null || tokensOut === null ? 'tokens unknown' : `${tokensIn} tokens in, ${tokensOut} out`;
}
