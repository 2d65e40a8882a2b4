import { isMessageCheck, recordFeedback } from '../../../inspection/feedback.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { mistake } from '../../../base/problem.ts';
import { whoAmI } from '../ask.ts';
import { flag, textOption } from '../options.ts';
import { json, line } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon feedback`: says that a rule or a message check was wrong; `andon rules stats` and `andon messages stats` count it. */
export async function run({ args, options, cwd, env }: Invocation): Promise<number> {
  const [rule, finding] = args.map(String);
  const reason = textOption(options, 'false')?.trim() ?? '';
  if (rule === undefined || finding === undefined || reason === '')
    throw mistake('why was the rule wrong?', 'andon feedback <rule> <id|file:line> --false "<reason>"');
  const feedback = await recordFeedback(await findPlace(cwd, env), cwd, { rule, finding, reason, by: whoAmI() });
  if (flag(options, 'json')) json(feedback);
  else
    line(
      `noted: ${inOneTerminalLine(rule)} was wrong about ${inOneTerminalLine(finding)}; ${isMessageCheck(rule) ? 'andon messages stats' : 'andon rules stats'} counts it`,
    );
  return 0;
}
