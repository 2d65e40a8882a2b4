import type { Answer, Request } from '../record/request.ts';

/** The way between a command and a running daemon: files in the state folder, where no agent can write. */
export interface Requests {
  /** Requests that nobody has answered yet. */
  waiting(): readonly { readonly id: string; readonly request: Request }[];
  answer(id: string, answer: Answer): void;
  /** Asks and waits; undefined when nobody answered within `ms`, or nobody is there any more who could. */
  ask(request: Request, ms: number, isThere: () => boolean): Promise<Answer | undefined>;
}
