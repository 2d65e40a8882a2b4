import { camelOf } from '../../base/letter-case.ts';
import { COMPLEXITIES } from '../../contract/task-contract-shape.ts';
import type { Complexity } from '../../contract/task-contract-shape.ts';
import type { PartialWishes, Wishes, WrittenGate } from '../../contract/draft/wishes.ts';
import { gateFrom } from '../../setup/propose-config.ts';
import { mistake } from '../../base/problem.ts';
import { flag, textOption, textsOption } from './options.ts';
import { WISH_FLAGS } from './wish-flags.ts';
import type { Invocation } from './command.ts';

/** The wishes that the flags say; what is not said is left out. */
export const wishesGiven = (options: Invocation['options']): PartialWishes =>
  Object.fromEntries(
    WISH_FLAGS.flatMap(([flags, , wish]) => {
      const value = wish === undefined ? undefined : valueOf(options, wish, flags);
      return value === undefined ? [] : [[wish, value]];
    }),
  );

/** What a flag holds is told by the name of its value, as in `--budget-usd <n>`. */
function valueOf(options: Invocation['options'], wish: keyof Wishes, flags: string): unknown {
  const [shown = '', value] = flags.split(' ');
  const name = camelOf(shown.slice('--'.length));
  if (wish === 'gates') return gatesOption(options);
  if (wish === 'complexity') return complexityOption(options);
  if (value === undefined) return flag(options, name) || undefined;
  if (/^<(?:n|lines|minutes|share)>$/.test(value)) return numberOption(options, name, shown);
  if (!value.endsWith('...>')) return textOption(options, name);
  const texts = textsOption(options, name);
  if (texts.length === 0) return undefined;
  return wish === 'holdoutGates' ? texts.map((line) => gate(line, shown)) : texts;
}

function numberOption(options: Invocation['options'], name: string, shown: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  throw mistake(`${shown} ${text} is not a number`, `${shown} 2`);
}

function complexityOption(options: Invocation['options']): Complexity | undefined {
  const text = textOption(options, 'complexity');
  const word = COMPLEXITIES.find((one) => one === text);
  if (text === undefined || word !== undefined) return word;
  throw mistake(`--complexity ${text} is not one of ${COMPLEXITIES.join(', ')}`, '--complexity minor');
}

function gatesOption(options: Invocation['options']): readonly WrittenGate[] | undefined {
  const lines = textsOption(options, 'gate');
  const mustFail = textsOption(options, 'mustFailBefore');
  const timeout = numberOption(options, 'gateTimeout', '--gate-timeout');
  const gates = lines.map((line) => gate(line, '--gate'));
  const stranger = mustFail.find((name) => !gates.some((one) => one.name === name));
  if (stranger !== undefined)
    throw mistake(
      `--must-fail-before ${stranger} names no gate of this task`,
      `--gate '${stranger}=<command>' --must-fail-before '${stranger}'`,
    );
  if (gates.length === 0) return undefined;
  return gates.map((one) => ({
    ...one,
    ...(timeout === undefined ? {} : { timeout_minutes: timeout }),
    ...(mustFail.includes(one.name) ? { must_fail_before: true } : {}),
  }));
}

function gate(line: string, shown: string): WrittenGate {
  const found = gateFrom(line);
  if (found !== undefined) return found;
  throw mistake(`${shown} ${line} is not of the form name=command`, `${shown} 'test=npm test'`);
}
