import { isThere, readText } from '../../rules/files/read-files.ts';
import { inspectResponse } from '../../rules/files/inspect-response.ts';
import { loadWorkspace } from '../../project/workspace/load-workspace.ts';
import { conflictingOptions, invalidValue } from './usage-errors.ts';
import type { Invocation } from './command.ts';
import { formatOption, readLlmOption, readProseArgument, writeReport } from './inspections.ts';
import { SUBJECT_OPTIONS, hasFlag, listGivenOptions, readTextOption, readTextsOption, toFlag } from './options.ts';

const OTHER_LOOKS = [...SUBJECT_OPTIONS, 'base', 'phase', 'task', 'updateBaseline', 'allowEmpty'];

/** `andon check --response`: holds one answer against the rules, and gives the exit code that was decided. */
export async function runResponseCheck(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const others = listGivenOptions(options, OTHER_LOOKS);
  if (others.length > 0) throw conflictingOptions(['--response', others.map(toFlag).join(', ')], EXAMPLE);
  const response = await readProseArgument(cwd, readTextOption(options, 'response') ?? '', 'response', EXAMPLE);
  const query = readTextOption(options, 'query');
  const write = formatOption(options);
  const inspection = await inspectResponse(await loadWorkspace(cwd, env, { tolerates: 'nothing' }), env, {
    response,
    query:
      query === undefined
        ? undefined
        : await readProseArgument(cwd, query, 'query', `${EXAMPLE} --query "what was asked"`),
    context: readTextsOption(options, 'context').map((text) => (isThere(cwd, text) ? readText(cwd, text) : text)),
    session: variablesOf(readTextsOption(options, 'var'), '--var'),
    profile: variablesOf(readTextsOption(options, 'profileVar'), '--profile-var'),
    scopes: readTextsOption(options, 'scenario'),
    ...(await readLlmOption(invocation)),
    remediate: hasFlag(options, 'remediate'),
    trace: hasFlag(options, 'trace'),
  });
  writeReport(inspection, write, readTextOption(options, 'out'), cwd);
  return inspection.exit;
}

const EXAMPLE = 'andon check --response "what was answered"';

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
