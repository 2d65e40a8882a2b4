import { toTerminalLine } from '../../base/plain-text.ts';
import { loadWorkspace } from '../../wiring/load-workspace.ts';
import type { DoctorCheck } from '../../setup/doctor/check.ts';
import { tryAgent } from '../../setup/doctor/try-agent.ts';
import type { Invocation } from './command.ts';
import { hasFlag } from './options.ts';
import { printJson, printLine, printSentence, colourText } from './print.ts';
import { onFirstSignal } from './signals.ts';

/** `andon agents test`: one real call of each kind, and what was understood of it. */
export async function test(invocation: Invocation, name: string): Promise<number> {
  const place = await loadWorkspace(invocation.cwd, invocation.env);
  const stop = new AbortController();
  onFirstSignal(invocation, () => stop.abort());
  const asJson = hasFlag(invocation.options, 'json');
  const checks: DoctorCheck[] = [];
  for await (const check of tryAgent(place, invocation.env, name, stop.signal)) {
    checks.push(check);
    if (!asJson) show(check);
  }
  const isWell = checks.every(({ state }) => state === 'ok');
  if (asJson) printJson({ agent: name, well: isWell, checks });
  return isWell ? 0 : 1;
}

function show({ name, state, detail, remedy }: DoctorCheck): void {
  const mark = { ok: colourText('green', 'ok  '), warn: colourText('yellow', 'warn'), fail: colourText('red', 'fail') }[
    state
  ];
  printSentence(`${mark}  ${name.padEnd('review call'.length)}  ${toTerminalLine(detail, 400)}`);
  if (remedy !== undefined) printLine(`      ${toTerminalLine(remedy, 400)}`);
}
