import { isMessageCheck, recordFeedback } from '../../../inspection/feedback.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { getUserName } from '../ask.ts';
import { readTextOption } from '../options.ts';
import { printResult } from '../print.ts';
import { missingArgument, unexpectedArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const EXAMPLE = 'andon rules feedback no-todo src/a.ts:3 --false "it is a name"';

/** `andon rules feedback`: says that a rule or a message check was wrong; `andon rules stats` and `andon messages stats` count it. */
export async function noteFeedback({ args, options, cwd, env }: Invocation): Promise<number> {
  const [rule, finding, ...more] = args.map(String);
  const reason = readTextOption(options, 'false')?.trim() ?? '';
  if (more.length > 0) throw unexpectedArgument(more, EXAMPLE);
  if (rule === undefined) throw missingArgument('rule', EXAMPLE);
  if (finding === undefined) throw missingArgument('finding', EXAMPLE);
  if (reason === '') throw missingArgument('--false <reason>', EXAMPLE);
  const feedback = await recordFeedback(await loadWorkspace(cwd, env), {
    rule,
    finding,
    reason,
    by: getUserName(),
  });
  const counts = isMessageCheck(rule) ? 'andon messages stats' : 'andon rules stats';
  return printResult(
    { options },
    feedback,
    `Noted: ${toTerminalLine(rule)} was wrong about ${toTerminalLine(finding)}. \`${counts}\` counts it.`,
  );
}
