import { isUtf8 } from 'node:buffer';
import { basename, resolve } from 'node:path';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { createUsageError } from '../../../base/problem.ts';
import { sha256 } from '../../../base/sha256.ts';
import { idOfTitle, readSpec } from '../../../contract/draft/spec-markdown.ts';
import type { PartialDraft } from '../../../contract/contract-fields.ts';
import { fillDefaults, projectDefaults } from '../../../contract/draft/contract-draft.ts';
import { COMPLEXITY_LIMITS } from '../../../contract/task-contract-defaults.ts';
import { openContractChecker } from '../../../daemon/intake/contract-checker.ts';
import { readBytes } from '../../../inspection/read-files.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { askProposal, askRequirement, askScope } from '../ask-proposal.ts';
import { submitContract, noteUnmatched } from '../submit-contract.ts';
import { hasFlag, readTextOption } from '../options.ts';
import { printErrorLine, printLine, printRemedy } from '../print.ts';
import { runPrompts, mayAsk } from '../prompts.ts';
import { fromRoot } from '../typed-paths.ts';
import { runCommand } from '../usage-errors.ts';
import { toShellWord } from '../../../base/shell-word.ts';
import { draftFromFlags } from '../contract-flags.ts';
import { flagOf } from '../contract-options.ts';
import type { Invocation } from '../command.ts';

/** `andon new`: a contract from a sentence, a spec and flags, which win; what they leave out is inferred and shown. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, cwd, env } = invocation;
  const sentence = args.flat().map(String).join(' ').trim();
  const file = readTextOption(options, 'spec');
  const spec = file === undefined ? undefined : specIn(resolve(cwd, file), file);
  const place = await loadWorkspace(resolve(cwd, readTextOption(options, 'project') ?? '.'), env, {
    tolerates: 'the checkout',
  });
  const typedIn = { cwd, root: place.facts.root };
  const written: PartialDraft = { ...spec?.draft, ...fromRoot(draftFromFlags(options), typedIn) };
  const said = sentence === '' ? written : { title: sentence, requirements: [sentence], ...written };
  const note = (text: string): void =>
    printRemedy(toTerminalLine(`note: ${file === undefined ? '' : `${file}: `}${text}`, 300));
  spec?.notices.forEach(note);
  const checker = await openContractChecker(place, env);
  const { settings } = checker;
  const toDraft = (given: PartialDraft): ReturnType<typeof fillDefaults> =>
    fillDefaults(given, projectDefaults(basename(place.facts.root), settings.roles));
  try {
    for (const gap of checker.gaps) printErrorLine(gap);
    if (mayAsk(invocation) && (sentence !== '' || listMissing(said).length > 0))
      return await runPrompts('andon new', async (ask) => {
        const known = hasRequirement(said) ? said : { ...said, ...(await askRequirement(ask)) };
        const found = hasScope(known) ? undefined : await checker.findScope(proseOf(known), known.base_branch);
        const scope = hasScope(known) ? {} : { allowed_paths: found?.paths ?? (await askScope(ask, typedIn)) };
        const draft = toDraft(complete({ ...known, ...scope }, spec !== undefined));
        const why = found?.why ?? '';
        const text = await askProposal(ask, { env, gates: settings.gates, checker, draft, why });
        if (text !== undefined) return submitContract(invocation, place, checker, text);
        printLine('Cancelled. Nothing was written.');
        return 1;
      });
    const found = hasScope(said) ? undefined : await checker.findScope(proseOf(said), said.base_branch);
    const given = found === undefined ? said : { ...said, allowed_paths: found.paths };
    const missing = listMissing(given);
    if (missing.length > 0) throw missingFields(missing, file, sentence);
    const isConfirmed = ['yes', 'print'].some((name) => hasFlag(options, name)) || options['save'] !== undefined;
    if (found?.isNamed === false && !isConfirmed) throw unconfirmed(found.paths, sentence);
    const draft = toDraft(complete(given, spec !== undefined));
    if (found !== undefined) printRemedy(toTerminalLine(`scope: ${found.paths.join(', ')} (${found.why})`, 500));
    await noteUnmatched(checker, draft);
    if (given.complexity === undefined && draft.complexity !== undefined) note(describeMinor(draft.budget_usd));
    return await submitContract(invocation, place, checker, checker.write(draft));
  } finally {
    checker.close();
  }
}

function specIn(path: string, name: string): { readonly draft: PartialDraft; readonly notices: readonly string[] } {
  const bytes = readBytes(path, name);
  if (!isUtf8(bytes)) throw createUsageError(`${name} is not valid UTF-8.`, 'Save it as UTF-8.');
  const read = readSpec(new TextDecoder().decode(bytes));
  if (read.ok) return read.value;
  throw createUsageError(
    read.why.map((why) => `${name}: ${why}`),
    `Correct the spec, then run \`andon new --spec ${name}\`.`,
  );
}

const hasRequirement = ({ requirements = [] }: PartialDraft): boolean => requirements.length > 0;

const hasScope = ({ allowed_paths: allowed = [], target_file: target }: PartialDraft): boolean =>
  allowed.length > 0 || target !== undefined;

const listMissing = (draft: PartialDraft): readonly string[] => [
  ...(hasRequirement(draft) ? [] : [flagOf('requirements')]),
  ...(hasScope(draft) ? [] : [flagOf('allowed_paths')]),
];

const proseOf = ({ title = '', requirements = [] }: PartialDraft): string => [title, ...requirements].join(' ');

const LONGEST_ID = 32;

/**
 * The same words make the same id, so a task is not made twice. A title without Latin letters becomes its digest. A spec
 * without a complexity counts as minor, which limits its cost.
 */
function complete(draft: PartialDraft, isSpec: boolean): PartialDraft {
  const { task_id: id, title, requirements = [], complexity } = draft;
  const words = title ?? requirements[0] ?? '';
  const whole = idOfTitle(words) ?? `TASK-${sha256(words).slice(0, 8)}`;
  const short = isSpec || whole.length <= LONGEST_ID ? whole : whole.slice(0, LONGEST_ID + 1).replace(/-[^-]*$/, '');
  return { ...draft, task_id: id ?? short, ...(isSpec ? { complexity: complexity ?? 'minor' } : {}) };
}

const describeMinor = (usd: number = COMPLEXITY_LIMITS.minor.budget_usd): string =>
  `no complexity is named, so it counts as minor: at most $${usd.toFixed(2)} (change it with --complexity or --budget-usd)`;

const typed = (sentence: string): string => `andon new ${toShellWord(sentence) ?? '"…"'}`;

const unconfirmed = (paths: readonly string[], sentence: string): Error =>
  createUsageError(
    `These files are a guess: ${paths.map((path) => toTerminalLine(path, 200)).join(', ')}.`,
    `Name the files with --allow, or take these: ${typed(sentence)} --yes`,
  );

const missingFields = (missing: readonly string[], spec: string | undefined, sentence: string): Error =>
  createUsageError(
    [
      ...(missing.length === 1 ? ['No tracked file, or too many, fit the words.'] : []),
      `Missing options: ${missing.join(', ')}.`,
    ],
    spec === undefined
      ? runCommand(`${typed(sentence || 'Dates are shown in UTC')} --allow src/`, 'with the files that may change')
      : `Add the options, or \`## Requirements\` and \`## Allowed paths\` to ${spec}.`,
  );
