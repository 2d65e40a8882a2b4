import { inOneTerminalLine } from '../../../formats/plain-text.ts';
import type { Check } from '../../../floor/examine/check.ts';
import { repair } from '../../../floor/examine/repair.ts';
import { examine } from '../../../floor/examine.ts';
import { findPlace } from '../../../floor/open-floor.ts';
import { flag } from '../options.ts';
import { json, line, styled } from '../print.ts';
import type { Invocation } from './command.ts';

const MARKS = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const;

/**
 * `andon doctor`: one line for each thing the line needs, with a remedy for every one that is not well. Exit code 0 when
 * nothing is red, 1 when something is, 2 when there is no repository here or the configuration cannot be read. `--json`
 * prints `{repository, well, checks: [{name, state, detail, remedy?}], repairs: [{done, text}]}`.
 */
export async function run({ options, cwd, env }: Invocation): Promise<number> {
  const asJson = flag(options, 'json');
  const found = await findPlace(cwd, env);
  const repairs = flag(options, 'fix') ? await repair(found, env) : [];
  if (!asJson)
    for (const { done, text } of repairs) print({ name: 'repair', state: done ? 'ok' : 'warn', detail: text });
  const place = repairs.length === 0 ? found : await findPlace(cwd, env);
  const checks: Check[] = [];
  for await (const check of examine(place, env, { gates: options['gates'] !== false, load: flag(options, 'load') })) {
    checks.push(check);
    if (!asJson) print(check);
  }
  const isWell = checks.every(({ state }) => state !== 'fail');
  if (asJson) json({ repository: place.facts.root, well: isWell, checks, repairs });
  return isWell ? 0 : 1;
}

function print({ name, state, detail, remedy }: Check): void {
  const [style, mark] = MARKS[state];
  line(`${styled(style, mark)}  ${name.padEnd(16)} ${inOneTerminalLine(detail, 300)}`);
  if (state !== 'ok' && remedy !== undefined)
    line(`                        ${styled('dim', inOneTerminalLine(remedy, 300))}`);
}
