import { Client, type Notification, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inject, onTestFinished } from 'vitest';
import type { Factory } from './factory.ts';

/** What a call of a tool came to, as tests look at it. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The official client, connected to the installed `andon mcp` over standard input and output; gone after the test. */
export function aClientOf(factory: Factory, args: readonly string[] = [], era: 'legacy' | 'auto' = 'legacy') {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', inject('andon'), 'mcp', ...args],
    cwd: factory.repo,
    env: factory.env,
    stderr: 'pipe',
  });
  return aClient(transport, era);
}

/** The official client over a transport, with every notification that nobody else takes kept in order. */
export async function aClient(transport: Transport, era: 'legacy' | 'auto' = 'legacy') {
  const client = new Client(
    { name: 'andon-test', version: '1.0.0' },
    era === 'auto' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  const heard: Notification[] = [];
  client.fallbackNotificationHandler = (notification) => {
    heard.push(notification);
    return Promise.resolve();
  };
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    heard,
    async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Called> {
      const answer = await client.callTool({ name, arguments: { ...given } });
      const [first] = answer.content;
      return {
        isError: answer.isError === true,
        text: first?.type === 'text' ? first.text : '',
        facts: (answer.structuredContent ?? {}) as Readonly<Record<string, unknown>>,
      };
    },
    engine(given: Readonly<Record<string, unknown>>): Promise<Called> {
      return this.call('rule_engine', given);
    },
  };
}
