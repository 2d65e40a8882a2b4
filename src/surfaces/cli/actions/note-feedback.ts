import { isMessageCheck, recordFeedback } from '../../../inspection/feedback.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { whoAmI } from '../ask.ts';
import { flag, textOption } from '../options.ts';
import { json, line } from '../print.ts';
import { missingArgument, unexpectedArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const EXAMPLE = 'andon rules feedback no-todo src/a.ts:3 --false "it is a name"';

/** `andon rules feedback`: says that a rule or a message check was wrong; `andon rules stats` and `andon messages stats` count it. */
export async function noteFeedback({ args, options, cwd, env }: Invocation): Promise<number> {
  const [rule, finding, ...more] = args.map(String);
  const reason = textOption(options, 'false')?.trim() ?? '';
  if (more.length > 0) throw unexpectedArgument(more, EXAMPLE);
  if (rule === undefined) throw missingArgument('rule', EXAMPLE);
  if (finding === undefined) throw missingArgument('finding', EXAMPLE);
  if (reason === '') throw missingArgument('--false <reason>', EXAMPLE);
  const feedback = await recordFeedback(await findPlace(cwd, env), cwd, { rule, finding, reason, by: whoAmI() });
  if (flag(options, 'json')) json(feedback);
  else
    line(
      `noted: ${inOneTerminalLine(rule)} was wrong about ${inOneTerminalLine(finding)}; ${isMessageCheck(rule) ? 'andon messages stats' : 'andon rules stats'} counts it`,
    );
  return 0;
}
