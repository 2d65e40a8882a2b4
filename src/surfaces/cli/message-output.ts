import { toSingleLine, toTerminal } from '../../base/plain-text.ts';
import type { CheckedMessage, MessageRequest } from '../../inspection/messages.ts';
import { printLine, colourText } from './print.ts';

/** Tells a person what became of a message. */
export function tellMessage({ result, rules, feedback, exit }: CheckedMessage, { from, to }: MessageRequest): void {
  const { asked, stage, warnings, todos, unsure, requests } = result;
  if (asked.length === 0 && rules === undefined)
    printLine(
      from === 'human' || to === 'human'
        ? 'not checked: what is meant for people is left alone'
        : 'not checked: switched off by enforcement.enabled',
    );
  else if (feedback !== undefined)
    printLine(colourText('red', `goes back, by ${result.passed ? 'the rules of this project' : (stage ?? 'a guard')}`));
  else printLine(exit === 0 ? colourText('green', 'goes on') : colourText('yellow', 'goes on as NEEDS_REVIEW'));
  if (result.feedback !== undefined) printLine(`\n${toTerminal(result.feedback)}\n`);
  for (const why of rules?.refused ?? []) printLine(`refused: ${toSingleLine(why)}`);
  for (const why of rules?.noted ?? []) printLine(`noted: ${toSingleLine(why)}`);
  for (const warning of warnings) printLine(`warning: ${toSingleLine(warning)}`);
  for (const { path, why } of requests)
    printLine(`asks for more scope: ${toSingleLine(path)}${why === '' ? '' : ` (${toSingleLine(why)})`}`);
  if (todos !== undefined && todos.items.length > 0) {
    const done = todos.items.filter(({ state }) => state !== 'pending').length;
    printLine(`checklist: ${done} of ${todos.items.length} done`);
    for (const { text, state } of todos.items)
      printLine(
        `  ${state === 'pending' ? '[ ]' : '[x]'} ${toSingleLine(text)}${state === 'evidence' ? ' (shown by git or a gate)' : ''}`,
      );
  }
  for (const why of unsure) printLine(`not sure: ${toSingleLine(why)}`);
  if (asked.length > 0) printLine(`asked: ${asked.join(', ')}`);
}
