import type { RequestReply, Request } from '../record/request.ts';

/** The channel between a command and a running daemon: files in the state folder, where agents cannot write. */
export interface Requests {
  /** Unanswered requests. */
  waiting(): readonly { readonly id: string; readonly request: Request }[];
  answer(id: string, answer: RequestReply): void;
  /** Asks and waits; undefined when no answer comes within `ms`, or the daemon is gone. */
  ask(request: Request, ms: number, isThere: () => boolean): Promise<RequestReply | undefined>;
}
