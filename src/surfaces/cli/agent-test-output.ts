import { inOneTerminalLine } from '../../base/plain-text.ts';
import { findPlace } from '../../wiring/open-place.ts';
import type { Check } from '../../setup/doctor/check.ts';
import { tryAgent } from '../../setup/doctor/try-agent.ts';
import type { Invocation } from './command.ts';
import { flag } from './options.ts';
import { json, line, styled } from './print.ts';
import { onFirstSignal } from './signals.ts';

/** `andon agents test`: one real call of each kind, and what was understood of it. */
export async function test(invocation: Invocation, name: string): Promise<number> {
  const place = await findPlace(invocation.cwd, invocation.env);
  const stop = new AbortController();
  onFirstSignal(invocation, () => stop.abort());
  const asJson = flag(invocation.options, 'json');
  const checks: Check[] = [];
  for await (const check of tryAgent(place, invocation.env, name, stop.signal)) {
    checks.push(check);
    if (!asJson) show(check);
  }
  const isWell = checks.every(({ state }) => state === 'ok');
  if (asJson) json({ agent: name, well: isWell, checks });
  return isWell ? 0 : 1;
}

function show({ name, state, detail, remedy }: Check): void {
  const mark = { ok: styled('green', 'ok  '), warn: styled('yellow', 'warn'), fail: styled('red', 'fail') }[state];
  line(`${mark}  ${name.padEnd('review call'.length)}  ${inOneTerminalLine(detail, 400)}`);
  if (remedy !== undefined) line(`      ${inOneTerminalLine(remedy, 400)}`);
}
