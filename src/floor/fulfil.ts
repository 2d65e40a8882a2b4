import type { Answer, Request } from '../formats/request.ts';
import type { LineRecord } from '../formats/line-record.ts';
import type { Floor } from './floor.ts';
import { pausedBy, setPause } from './pause.ts';
import { undo } from './undo.ts';

/** What came of a request. */
type Done = Omit<Extract<Answer, { ok: true }>, 'ok'>;

/** Carries out what a command asks for. */
export async function fulfil(floor: Floor, request: Request): Promise<Done> {
  switch (request.do) {
    case 'resume':
      return done(await floor.looks.inTurn(() => floor.resume({ ...request, haltId: request.haltId })));
    case 'halt':
      return done(await floor.looks.inTurn(() => floor.pullCord(request.taskId, request.by, request.reason)));
    case 'retry':
      return done(floor.retry(request.taskId));
    case 'abandon':
      return done(await floor.looks.inTurn(() => floor.abandon(request.taskId, request.by)));
    case 'undo':
      return done(await undo(floor.world, request.taskId, request.by));
    case 'pause':
    case 'unpause': {
      setPause(floor.world, request.do === 'pause' ? 'paused' : 'unpaused', request.by);
      const paused = pausedBy(floor.world.journal);
      return { status: paused === undefined ? 'unpaused' : 'paused', reason: paused?.at ?? '', commit: null };
    }
  }
}

const done = ({ status, statusReason: reason, undone }: LineRecord): Done => ({
  status,
  reason,
  commit: undone ?? null,
});
