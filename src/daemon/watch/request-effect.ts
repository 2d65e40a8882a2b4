import type { RequestReply, Request } from '../../record/request.ts';
import type { LineRecord } from '../../record/line-record.ts';
import { foldJournal } from '../../line/record.ts';
import type { Journal } from '../../ports/journal.ts';
import { readPause } from '../../wiring/pause.ts';

type Done = Omit<Extract<RequestReply, { ok: true }>, 'ok'>;

/** What a request found before it was made: the journal says later whether it came to anything. */
export interface Before {
  readonly request: Request;
  readonly haltId: string | undefined;
}

/** Remembers the halt that stands, which an answer to it will name. */
export function readStandingHalt(journal: Journal | undefined, request: Request): Before {
  const named = request.do === 'resume' ? request.haltId : undefined;
  return { request, haltId: named ?? recordOf(journal, request)?.halt?.id };
}

/** What came of a request whose answer did not arrive, as the journal has it; undefined when nothing has (yet). */
export function findRequestEffect(journal: Journal | undefined, { request, haltId }: Before): Done | undefined {
  if (journal === undefined) return undefined;
  if (request.do === 'pause' || request.do === 'unpause') {
    const paused = readPause(journal);
    if ((paused !== undefined) !== (request.do === 'pause')) return undefined;
    return { status: paused === undefined ? 'unpaused' : 'paused', reason: paused?.at ?? '', commit: null };
  }
  const record = recordOf(journal, request);
  return record !== undefined && shows(record, request, haltId)
    ? { status: record.status, reason: record.statusReason, commit: record.undone ?? null }
    : undefined;
}

function shows(record: LineRecord, request: Request, haltId: string | undefined): boolean {
  switch (request.do) {
    case 'resume':
      return haltId !== undefined && record.lastChoice?.halt === haltId && record.lastChoice.path === request.path;
    case 'abandon':
      return record.status === 'abandoned';
    case 'halt':
      return record.halt !== undefined && record.halt.id !== haltId;
    case 'undo':
      return record.undone !== undefined;
    case 'say':
    case 'retry':
    case 'move':
    case 'withdraw':
    case 'hook':
    case 'stop':
    case 'clean':
    case 'pause':
    case 'unpause':
      return false; // a call that is made now leaves no mark of who asked for it
  }
}

function recordOf(journal: Journal | undefined, request: Request): LineRecord | undefined {
  return 'taskId' in request && request.taskId !== undefined
    ? foldJournal(journal?.entries(request.taskId) ?? [])
    : undefined;
}
