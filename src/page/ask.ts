import type { ActionOutcome } from '../app/web/api-types.ts';
import { withSession } from './entry.ts';

/** Sends a request to the line; any failure is an outcome in words. */
export async function ask<Outcome extends ActionOutcome = ActionOutcome>(
  path: string,
  body: object,
): Promise<Outcome | typeof LOST> {
  try {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(path, withSession({ method: 'POST', headers, body: JSON.stringify(body) }));
    return (await readAnswer<Outcome>(answer)) as Outcome;
  } catch {
    return LOST;
  }
}

/** Fetches data; throws a refusal in words. */
export const look = async <Value>(path: string): Promise<Value> =>
  (await readAnswer<Value>(await lookForAnswer(path))) as Value;

/** The same, as it was sent. */
export async function lookForAnswer(path: string): Promise<Response> {
  const answer = await fetch(path, withSession()).catch(() => {
    throw new Error(LOST.said);
  });
  if (answer.ok) return answer;
  throw new Error((await readAnswer<ActionOutcome>(answer)).said);
}

/** The content of an answer; a proxy or an early refusal may send text. */
async function readAnswer<Value>(answer: Response): Promise<Value | ActionOutcome> {
  if (/^application\/json\b/.test(answer.headers.get('content-type') ?? '')) return (await answer.json()) as Value;
  const text = `${answer.status}: ${(await answer.text()).trim().slice(0, 200)}`;
  return { ok: false, code: 'no-answer', said: text, remedy: 'open the link that andon web prints' };
}

export const LOST = {
  ok: false,
  code: 'no-answer',
  said: 'andon web did not answer',
  remedy: 'start it with `andon web` if it has ended; the request may still take effect, so reload before you retry',
} as const;
