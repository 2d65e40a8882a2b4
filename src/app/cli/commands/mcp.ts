import { openLiveWorkspace } from '../../../line/services/live-workspace.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { hasFlag, readNumberOption } from '../options.ts';
import { abortOnSignal } from '../signals.ts';
import { VERSION } from '../version.ts';
import { misplacedOption } from '../usage-errors.ts';
import { getUserName, type Invocation } from '../command.ts';

/** `andon mcp`: the rules and the state of the line for a program that speaks MCP; standard output belongs to it. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const port = portFrom(options);
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const { serveMcp } = await import('../../mcp/serve-mcp.ts');
  const say = (text: string): void => void process.stderr.write(`andon mcp: ${text}\n`);
  await serveMcp(openLiveWorkspace(place, say), {
    version: VERSION,
    env,
    mayRegister: hasFlag(options, 'allowRegister'),
    answerHook: async (answer) => {
      const { requestOrRun } = await import('../ask-watchdog.ts');
      return Number((await requestOrRun(invocation, { do: 'hook', ...answer })).reason);
    },
    sendComments: hasFlag(options, 'allowComments')
      ? async (request) => {
          const { requestOrRun } = await import('../ask-watchdog.ts');
          return (await requestOrRun(invocation, { ...request, by: getUserName(), how: 'andon mcp' })).status;
        }
      : undefined,
    port,
    signal: abortOnSignal(invocation),
    say,
  });
  return 0;
}

const EXAMPLE = 'andon mcp --http --port 7337';

function portFrom(options: Invocation['options']): number | undefined {
  const port = readNumberOption(options, 'port', { from: 0, to: 65_535, example: EXAMPLE });
  if (hasFlag(options, 'http')) return port ?? 0;
  if (port !== undefined) throw misplacedOption('--port', '--http', EXAMPLE);
  return undefined;
}
