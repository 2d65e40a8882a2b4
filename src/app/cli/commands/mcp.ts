import { openLiveWorkspace } from '../../../line/services/live-workspace.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { hasFlag, readNumberOption } from '../options.ts';
import { abortOnSignal } from '../signals.ts';
import { VERSION } from '../version.ts';
import { getUserName, type Invocation } from '../command.ts';

/** `andon mcp`: the rules and the state of the line for a program that speaks MCP; standard output belongs to it. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const port = readNumberOption(options, 'port', { from: 0, to: 65_535, example: 'andon mcp --http --port 7337' });
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
    port: hasFlag(options, 'http') ? (port ?? 0) : undefined,
    signal: abortOnSignal(invocation),
    say,
  });
  return 0;
}
