import type { Outcome } from '../surfaces/web/told.ts';

/** Asks the line for something; whatever goes wrong is an outcome in words. */
export async function ask(path: string, body: object): Promise<Outcome> {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Outcome;
  } catch {
    return LOST;
  }
}

/** Looks something up; a refusal is thrown in words. */
export async function look<Value>(path: string): Promise<Value> {
  const answer = await fetch(path);
  const told = (await answer.json()) as Value | Outcome;
  if (answer.ok) return told as Value;
  throw new Error((told as Outcome).said);
}

const LOST: Outcome = {
  ok: false,
  code: 'no-answer',
  said: 'andon web did not answer',
  remedy: 'look whether it runs; what you asked for may have been done, so look before you ask again',
};
