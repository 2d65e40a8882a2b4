import { installHook, removeHook, type HookChange } from '../../../rules/files/install-hook.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { printResult } from '../print.ts';
import { unexpectedArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon hook install|remove`: git asks the rules at every `git commit`, or does so no more; `andon hook claude …` see there. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, cwd, env } = invocation;
  const [what, more] = args as ['install' | 'remove' | 'claude', string | undefined];
  if (what === 'claude') return (await import('../manage-claude-hook.ts')).manageClaudeHook(invocation);
  if (more !== undefined) throw unexpectedArgument([more], `andon hook ${what}`);
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const change = await (what === 'install' ? installHook(place, env) : removeHook(place, env));
  return printResult(invocation, change, sentence(what, change));
}

function sentence(what: 'install' | 'remove', { file, chained, changed }: HookChange): string {
  const hook = toTerminalLine(file);
  if (what === 'remove') {
    if (!changed) return `there is no hook of andon in ${hook}`;
    return chained === undefined ? `removed ${hook}` : `removed andon's hook; ${hook} is again what it was before`;
  }
  const first =
    chained === undefined
      ? ''
      : `; the hook that was there runs first, if it is executable (${toTerminalLine(chained)})`;
  return changed ? `${hook} checks what is staged at every git commit${first}` : `${hook} is in place already${first}`;
}
