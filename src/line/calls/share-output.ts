import type { StationId } from '../../base/names.ts';
import type { OutputPiece } from '../../agents/agent.ts';
import type { OutputTail } from '../../project/requests/request.ts';
import { withoutSecrets } from '../../rules/secrets/mask.ts';
import type { Needs } from '../services/services.ts';
import { OutputRing } from './output-ring.ts';

/** Shorter calls are never shown. */
const FIRST_MS = 100;
/** The least time between two writes, */
const EVERY_MS = 250;
/** of which masking and writing take at most one part in this many. */
const SHARE = 10;

/** Shows the output of one call to boards while it runs. Nothing of it reaches the call: a failure ends the showing. */
export function shareOutput(
  { folders }: Needs<'folders'>,
  { taskId, call, station }: { readonly taskId: string; readonly call: number; readonly station: StationId },
) {
  const ring = new OutputRing(withoutSecrets);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let isLent = false;
  let next = performance.now() + FIRST_MS;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch {
      isOver = true; // a full disk, or a link in the way
    }
  };
  const write = (): void => {
    timer = undefined;
    const began = performance.now();
    attempt(() => {
      isLent = true;
      const tail: OutputTail = { call, station, ...ring.lines() };
      folders.lendTail(taskId, call, JSON.stringify(tail));
    });
    next = performance.now() + Math.max(EVERY_MS, (performance.now() - began) * SHARE);
  };
  return {
    show(piece: OutputPiece): void {
      if (isOver) return;
      ring.add(piece);
      timer ??= setTimeout(write, Math.max(0, next - performance.now()));
    },
    end(): void {
      isOver = true;
      clearTimeout(timer);
      if (isLent) attempt(() => folders.removeTail(taskId, call));
    },
  };
}
