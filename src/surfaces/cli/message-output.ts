import { forOneLine, forTerminal } from '../../base/plain-text.ts';
import type { CheckedMessage, MessageRequest } from '../../inspection/messages.ts';
import { line, styled } from './print.ts';

/** Tells a person what became of a message. */
export function tellMessage({ result, rules, feedback, exit }: CheckedMessage, { from, to }: MessageRequest): void {
  const { asked, stage, warnings, todos, unsure, requests } = result;
  if (asked.length === 0 && rules === undefined)
    line(
      from === 'human' || to === 'human'
        ? 'not checked: what is meant for people is left alone'
        : 'not checked: switched off by enforcement.enabled',
    );
  else if (feedback !== undefined)
    line(styled('red', `goes back, by ${result.passed ? 'the rules of this project' : (stage ?? 'a guard')}`));
  else line(exit === 0 ? styled('green', 'goes on') : styled('yellow', 'goes on as NEEDS_REVIEW'));
  if (result.feedback !== undefined) line(`\n${forTerminal(result.feedback)}\n`);
  for (const why of rules?.refused ?? []) line(`refused: ${forOneLine(why)}`);
  for (const why of rules?.told ?? []) line(`noted: ${forOneLine(why)}`);
  for (const warning of warnings) line(`warning: ${forOneLine(warning)}`);
  for (const { path, why } of requests)
    line(`asks for more scope: ${forOneLine(path)}${why === '' ? '' : ` (${forOneLine(why)})`}`);
  if (todos !== undefined && todos.items.length > 0) {
    const done = todos.items.filter(({ state }) => state !== 'pending').length;
    line(`checklist: ${done} of ${todos.items.length} done`);
    for (const { text, state } of todos.items)
      line(
        `  ${state === 'pending' ? '[ ]' : '[x]'} ${forOneLine(text)}${state === 'evidence' ? ' (shown by git or a gate)' : ''}`,
      );
  }
  for (const why of unsure) line(`not sure: ${forOneLine(why)}`);
  if (asked.length > 0) line(`asked: ${asked.join(', ')}`);
}
