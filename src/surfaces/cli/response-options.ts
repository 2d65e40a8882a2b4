import { partedBy } from '../../base/letter-case.ts';
import { isThere, readText } from '../../inspection/read-files.ts';
import { inspectResponse } from '../../inspection/inspect-response.ts';
import { findPlace } from '../../wiring/open-place.ts';
import { conflictingOptions, invalidValue } from './usage-errors.ts';
import type { Invocation } from './command.ts';
import { formatOption, hand, proseOf } from './inspections.ts';
import { LOOKS, flag, givenOf, textOption, textsOption } from './options.ts';

/** Options that name another thing to look at. */
const OTHER_LOOKS = [...LOOKS, 'base', 'phase', 'task', 'updateBaseline', 'allowEmpty'];

/** `andon check --response`: holds one answer against the rules, and gives the exit code that was decided. */
export async function checkResponse({ options, cwd, env }: Invocation): Promise<number> {
  const others = givenOf(options, OTHER_LOOKS);
  if (others.length > 0) throw conflictingOptions(['--response', others.map(flagOf).join(', ')], EXAMPLE);
  const response = await proseOf(cwd, textOption(options, 'response') ?? '', 'response', EXAMPLE);
  const query = textOption(options, 'query');
  const waivers = textOption(options, 'waivers');
  const write = formatOption(options);
  const inspection = await inspectResponse(await findPlace(cwd, env), env, {
    response,
    query: query === undefined ? undefined : await proseOf(cwd, query, 'query', `${EXAMPLE} --query "what was asked"`),
    context: textsOption(options, 'context').map((text) => (isThere(cwd, text) ? readText(cwd, text) : text)),
    session: variablesOf(textsOption(options, 'var'), '--var'),
    profile: variablesOf(textsOption(options, 'profileVar'), '--profile-var'),
    scopes: textsOption(options, 'scenario'),
    waivers: waivers === undefined ? undefined : { cwd, file: waivers },
    llm: flag(options, 'llm'),
    remediate: flag(options, 'remediate'),
    trace: flag(options, 'trace'),
  });
  hand(inspection, write, textOption(options, 'out'), cwd);
  return inspection.exit;
}

const EXAMPLE = 'andon check --response "what was answered"';

const flagOf = (name: string): string => `--${partedBy('-', name)}`;

/** `name=value`: a number, True or False (in any case), nothing (`null`), JSON in brackets, else a text. */
function variablesOf(written: readonly string[], option: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    written.map((one) => {
      const [, name = '', value = ''] = /^([A-Za-z_]\w{0,63})=([\s\S]*)$/.exec(one) ?? [];
      if (name === '' || name.startsWith('__'))
        throw invalidValue(option, one, 'a variable', `${EXAMPLE} ${option} user_tier=VIP`);
      return [name, valueOf(value, one, option)];
    }),
  );
}

function valueOf(written: string, whole: string, option: string): unknown {
  if (/^-?\d+(?:\.\d+)?$/.test(written)) return Number(written);
  if (/^(?:true|false)$/i.test(written)) return written.toLowerCase() === 'true';
  if (/^(?:null|none)$/i.test(written)) return null;
  if (!/^[[{"]/.test(written)) return written;
  try {
    return JSON.parse(written) as unknown;
  } catch {
    throw invalidValue(option, whole, 'JSON after the bracket', `${EXAMPLE} ${option} user_tier=VIP`);
  }
}
