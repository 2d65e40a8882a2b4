import { toTerminalLine } from '../../../base/plain-text.ts';
import { testNotifications, type Tested } from '../../../daemon/notify/notify-test.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { hasFlag } from '../options.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import { ringBell, setTitle } from '../terminal.ts';
import type { Invocation } from '../command.ts';

/**
 * `andon doctor --notify`: tells a test event over every channel and says what became of it. Exit code 0 when none failed,
 * 1 when one did. `--json` prints `[{channel, state: worked|failed|off, detail}]`.
 */
export async function testChannels({ options, cwd, env, onSignal }: Invocation): Promise<number> {
  const asJson = hasFlag(options, 'json');
  const place = await loadWorkspace(cwd, env);
  const stop = new AbortController();
  onFirstSignal({ onSignal }, () => stop.abort());
  const terminal = asJson ? { bell: () => false, title: () => false } : { bell: ringBell, title: setTitle };
  const tested = await testNotifications(place, env, terminal, stop.signal);
  if (asJson) printJson(tested);
  else for (const one of tested) print(one);
  if (!asJson) printLine(colourText('dim', `channels are set under \`notifications\` in ${place.userConfig}`));
  return tested.some(({ state }) => state === 'failed') ? 1 : 0;
}

const MARKS = { worked: ['green', 'ok  '], off: ['dim', 'off '], failed: ['red', 'FAIL'] } as const;

function print({ channel, state, detail }: Tested): void {
  const [style, mark] = MARKS[state];
  printLine(`${colourText(style, mark)}  ${channel.padEnd(8)} ${toTerminalLine(detail, 300)}`.trimEnd());
}
