import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { Factory } from './factory.ts';

/** One question as the server got it. */
export interface AskedQuestion {
  readonly headers: IncomingMessage['headers'];
  readonly body: {
    readonly model: string;
    readonly temperature?: number;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format?: { readonly type: string };
  };
  readonly at: number;
}

/** What the server does about a question: an object to answer with, or everything by hand. */
export type Reaction = object | ((question: AskedQuestion, answer: ServerResponse) => void);

/** A model on the loopback interface that speaks OpenAI's protocol and answers as told, the last reaction again and again. */
export async function aModelServer(...reactions: readonly Reaction[]) {
  const questions: AskedQuestion[] = [];
  const busy = { now: 0, most: 0 };
  const server = createServer((incoming, answer) => {
    let text = '';
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()));
    incoming.on('end', () => {
      const question = {
        headers: incoming.headers,
        body: JSON.parse(text) as AskedQuestion['body'],
        at: performance.now(),
      };
      questions.push(question);
      busy.most = Math.max(busy.most, (busy.now += 1));
      answer.once('close', () => (busy.now -= 1));
      const reaction = reactions[Math.min(questions.length, reactions.length) - 1] ?? {};
      if (typeof reaction === 'function') (reaction as (q: AskedQuestion, a: ServerResponse) => void)(question, answer);
      else says(answer, JSON.stringify(reaction));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { questions, busy, url: `http://127.0.0.1:${port}/v1` };
}

/** Answers with a text, as a model does. */
export function says(answer: ServerResponse, content: string): void {
  fails(answer, 200, {
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
}

/** Answers with a status and a body of its own. */
export function fails(
  answer: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Writes into the user's own configuration whom `--llm` asks. */
export function configureModel(factory: Factory, llm: object): void {
  appendFileSync(join(factory.folder, 'config/andon/config.yaml'), stringify({ llm }));
}
