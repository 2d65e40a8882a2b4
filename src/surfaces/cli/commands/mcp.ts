import { openLiveWorkspace } from '../../../wiring/live-workspace.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { onFirstSignal } from '../signals.ts';
import { VERSION } from '../version.ts';
import { invalidValue, misplacedOption } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon mcp`: the rules and the state of the line for a program that speaks MCP; standard output belongs to it. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env, onSignal } = invocation;
  const port = portFrom(options);
  const place = await loadWorkspace(cwd, env);
  const { serveMcp: serve } = await import('../../mcp/serve.ts');
  const stop = new AbortController();
  onFirstSignal({ onSignal }, () => stop.abort());
  const say = (text: string): void => void process.stderr.write(`andon mcp: ${text}\n`);
  await serve(openLiveWorkspace(place, say), {
    version: VERSION,
    mayRegister: hasFlag(options, 'allowRegister'),
    answerHook: async (answer) => {
      const { requestOrRun: carryOut } = await import('../ask.ts');
      return Number((await carryOut(invocation, { do: 'hook', ...answer })).reason);
    },
    port,
    signal: stop.signal,
    say,
  });
  return 0;
}

function portFrom(options: Invocation['options']): number | undefined {
  const written = readTextOption(options, 'port');
  if (!hasFlag(options, 'http')) {
    if (written === undefined) return undefined;
    throw misplacedOption('--port', '--http', 'andon mcp --http --port 7337');
  }
  const port = Number(written ?? '0');
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw invalidValue('--port', written ?? '', 'a port', 'andon mcp --http --port 7337');
}
