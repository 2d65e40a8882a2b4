import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { mistake } from '../../../base/problem.ts';
import { isThere } from '../../../inspection/read-files.ts';
import { textOption } from '../options.ts';
import type { Invocation } from '../command.ts';
import { run as check } from './check.ts';

/** `andon validate`: a plan held against the rules before it is carried out, in words or out of a file. */
export function run(invocation: Invocation): Promise<number> {
  const { file: _, ...options } = invocation.options;
  return check({ ...invocation, options: { ...options, plan: planOf(invocation) } });
}

function planOf({ options, cwd }: Invocation): string {
  const [plan, file] = [textOption(options, 'plan'), textOption(options, 'file')];
  if (plan !== undefined && file !== undefined)
    throw mistake('--plan and --file cannot be put together', 'validate one after the other');
  if (file !== undefined && !isThere(cwd, file))
    throw mistake(`there is no file ${inOneTerminalLine(file)}`, 'name a file that is there');
  const named = plan ?? file;
  if (named !== undefined) return named;
  throw mistake('which plan?', 'andon validate --plan "what is to be done", or --file <file>');
}
