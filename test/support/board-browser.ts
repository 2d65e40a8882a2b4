import { request } from 'node:http';
import { SESSION_HEADER } from '../../src/base/names.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** A request as any program could make it, with headers that a browser would not let a page choose. */
export function ask(url: string, headers: Readonly<Record<string, string>> = {}, body?: object): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const json =
      text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
    const asked = request(
      url,
      { method: text === undefined ? 'GET' : 'POST', headers: { ...json, ...headers } },
      (answer) => {
        let said = '';
        answer.on('data', (chunk: Buffer) => (said += chunk.toString()));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: said }));
      },
    );
    asked.on('error', reject);
    asked.end(text);
  });
}

/** Spends the token of a link, as the page does; the headers of a browser that was let in. */
export async function enter(link: string, at = new URL(link).origin, through: Readonly<Record<string, string>> = {}) {
  const { origin, searchParams } = new URL(link);
  const entered = await ask(`${at}/api/enter`, { ...through, origin }, { token: searchParams.get('token') });
  const { session } = JSON.parse(entered.body) as { readonly session: string };
  return { [SESSION_HEADER]: session };
}
