import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { PACKS, lintRules, readProjectRulebook, tryRules } from '../../../rules/files/rulebook.ts';
import { importRules, createRule } from '../../../rules/files/create-rule.ts';
import { readRuleStats, isMessageCheck, recordFeedback } from '../../checks/record-feedback.ts';
import { toTerminal, toTerminalLine } from '../../../base/plain-text.ts';
import { createUsageError } from '../../../base/problem.ts';
import { writeYaml } from '../../../base/strict-yaml.ts';
import { hasFlag, readTextOption, readNumberOption, readWordOption } from '../options.ts';
import { printJson, printLine, printResult, colourText } from '../print.ts';
import { toFaultFacts, printFaults, printNotes, printRules, printStats, printTried } from '../rules-output.ts';
import { formatRuleSource } from '../../../project/config/rule-fault.ts';
import { rootOf } from '../tasks.ts';
import { missingArgument, runCommand, unexpectedArgument } from '../usage-errors.ts';
import { getUserName, type Invocation } from '../command.ts';
import { changeEnforcement, findConfigFile } from '../../../rules/files/change-enforcement.ts';
import type { EnforcementSettings } from '../../../project/config/read-settings.ts';
import { MODES, type Mode } from '../../../project/config/config-words.ts';

type Action = (invocation: Invocation, names: readonly string[]) => Promise<number>;

const ACTIONS = {
  list,
  show,
  lint,
  test,
  new: create,
  import: takeFile,
  stats,
  feedback: noteFeedback,
  enforce: setEnforcement,
} as const satisfies Readonly<Record<string, Action>>;

const NAMELESS: readonly string[] = ['list', 'stats', 'enforce'];

/** `andon rules`: what the rulebook of this project holds, whether it is sound, and what came of it. */
export async function run(invocation: Invocation): Promise<number> {
  const [what, names] = invocation.args as [keyof typeof ACTIONS, readonly string[]];
  if (names.length > 0 && NAMELESS.includes(what)) throw unexpectedArgument(names, `andon rules ${what}`);
  return ACTIONS[what](invocation, names);
}

async function list(invocation: Invocation): Promise<number> {
  const book = await readProjectRulebook(await rootOf(invocation));
  if (hasFlag(invocation.options, 'json'))
    printJson({
      rules: book.rules.map(({ rule, source }) => ({
        id: rule.id,
        version: rule.version,
        title: rule.title,
        severity: rule.severity,
        priority: rule.priority,
        modality: rule.modality,
        handler: rule.handler,
        category: rule.category,
        phase: rule.phase,
        is_hard_constraint: rule.is_hard_constraint,
        source,
      })),
      files: book.files,
      faults: toFaultFacts(book.faults),
    });
  else {
    printRules(book.rules);
    if (book.rules.length === 0 && book.faults.length === 0)
      printLine(
        `no rules yet: \`extends: [${PACKS.names.join(', ')}]\` in .andon/rules/project.yaml takes what is shipped; andon rules new <id> writes one.`,
      );
    printFaults(book.faults);
  }
  return book.faults.length > 0 ? 2 : 0;
}

async function show(invocation: Invocation, names: readonly string[]): Promise<number> {
  const id = theOne(names, 'show');
  const book = await readProjectRulebook(await rootOf(invocation), { selfTests: false });
  const found = book.rules.find(({ rule }) => rule.id === id);
  if (found === undefined)
    throw createUsageError(`Unknown rule: ${id}.`, runCommand('andon rules list', 'to see every rule'));
  const { rule, source } = found;
  const notes = book.notes.map(({ message }) => message).filter((note) => note.startsWith(`${id}: `));
  if (hasFlag(invocation.options, 'json')) printJson({ rule, source, notes });
  else {
    printLine(`${colourText('dim', '# from')} ${toTerminalLine(formatRuleSource(source))}`);
    for (const note of notes) printLine(colourText('dim', `# ${toTerminalLine(note, 300)}`));
    printLine(toTerminal(writeYaml(rule).trimEnd()));
  }
  return 0;
}

async function lint(invocation: Invocation, names: readonly string[]): Promise<number> {
  const book = await lintRules(
    await loadWorkspace(invocation.cwd, invocation.env, { tolerates: 'nothing' }),
    invocation.cwd,
    names,
  );
  if (hasFlag(invocation.options, 'json'))
    printJson({ rules: book.rules.length, faults: toFaultFacts(book.faults), notes: book.notes });
  else {
    printFaults(book.faults);
    printNotes(book.notes);
    if (book.faults.length === 0)
      printLine(`${colourText('green', 'ok')}  ${book.rules.length} rule${book.rules.length === 1 ? '' : 's'}`);
  }
  return book.faults.length > 0 ? 2 : 0;
}

async function test(invocation: Invocation, names: readonly string[]): Promise<number> {
  const { book, tried } = await tryRules(await rootOf(invocation), names);
  const unknown = names.filter((name) => !tried.some(({ id }) => id === name));
  if (unknown.length > 0)
    throw createUsageError(
      `Unknown or faulty rule: ${unknown.join(', ')}.`,
      runCommand('andon rules lint', 'to see every fault'),
    );
  if (hasFlag(invocation.options, 'json')) printJson({ rules: tried, faults: toFaultFacts(book.faults) });
  else {
    printTried(tried, names.length > 0);
    if (tried.length === 0 && book.faults.length === 0)
      printLine('No rules, so nothing was tried. Run `andon rules new <id>`.');
    printFaults(book.faults);
  }
  if (book.faults.length > 0 && names.length === 0) return 2;
  return tried.some(({ results }) => results.some(({ passed }) => !passed)) ? 1 : 0;
}

async function create(invocation: Invocation, names: readonly string[]): Promise<number> {
  const file = await createRule(await rootOf(invocation), theOne(names, 'new'));
  const next = 'It is an example that looks for TODO. Edit it, then run `andon rules lint` and `andon rules test`.';
  return printResult(invocation, { file }, `Wrote ${toTerminalLine(file)}. ${next}`);
}

async function takeFile(invocation: Invocation, names: readonly string[]): Promise<number> {
  const file = theOne(names, 'import', 'file');
  const { book, written } = await importRules(
    await loadWorkspace(invocation.cwd, invocation.env, { tolerates: 'nothing' }),
    invocation.cwd,
    file,
  );
  const { rules, faults, notes } = book;
  if (hasFlag(invocation.options, 'json'))
    printJson({ written: written ?? null, rules: rules.length, faults: toFaultFacts(faults), notes });
  else {
    printFaults(faults);
    printNotes(notes);
    printLine(
      written === undefined
        ? `Nothing was written: ${toTerminalLine(file)} ${faults.length > 0 ? 'has faults' : 'holds no rules'}.`
        : `Wrote ${rules.length} rule${rules.length === 1 ? '' : 's'} to ${toTerminalLine(written)}. Next: \`andon rules lint\`.`,
    );
  }
  return written === undefined ? 2 : 0;
}

async function stats({ cwd, env, options }: Invocation): Promise<number> {
  const found = readRuleStats(await loadWorkspace(cwd, env, { tolerates: 'nothing' }));
  if (hasFlag(options, 'json')) printJson(found);
  else if (found.rules.length + found.unreadable === 0)
    printLine('nothing is recorded yet: violations are written down when the line meets them.');
  else printStats(found);
  return 0;
}

function theOne(names: readonly string[], action: string, what = 'rule id'): string {
  const [name] = names;
  if (name === undefined)
    throw missingArgument(what, `andon rules ${what === 'file' ? 'import ~/gitleaks.toml' : 'list'}`);
  if (names.length > 1) throw unexpectedArgument(names.slice(1), `andon rules ${action} ${name}`);
  return name;
}

const EXAMPLE = 'andon rules feedback no-todo src/a.ts:3 --false "it is a name"';

/** `andon rules feedback`: says that a rule or a message check was wrong; `andon rules stats` and `andon messages stats` count it. */
async function noteFeedback({ options, cwd, env }: Invocation, names: readonly string[]): Promise<number> {
  const [rule, finding, ...more] = names;
  const reason = readTextOption(options, 'false')?.trim() ?? '';
  if (more.length > 0) throw unexpectedArgument(more, EXAMPLE);
  if (rule === undefined) throw missingArgument('rule', EXAMPLE);
  if (finding === undefined) throw missingArgument('finding', EXAMPLE);
  if (reason === '') throw missingArgument('--false <reason>', EXAMPLE);
  const feedback = await recordFeedback(await loadWorkspace(cwd, env, { tolerates: 'nothing' }), {
    rule,
    finding,
    reason,
    by: getUserName(),
  });
  const counts = isMessageCheck(rule) ? 'andon messages stats' : 'andon rules stats';
  return printResult(
    { options },
    feedback,
    `Noted: ${toTerminalLine(rule)} was wrong about ${toTerminalLine(finding)}. \`${counts}\` counts it.`,
  );
}

/** `andon rules enforce`: shows how hard rules are enforced, or changes it in the project's configuration. */
async function setEnforcement({ options, cwd, env }: Invocation): Promise<number> {
  const mode = readWordOption(options, 'mode', MODES);
  const scoreThreshold = readNumberOption(options, 'threshold', {
    from: 0,
    to: 100,
    isWhole: false,
    example: 'andon rules enforce --threshold 70',
  });
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const isChange = mode !== undefined || scoreThreshold !== undefined;
  const { settings, file } = isChange
    ? changeEnforcement(place, {
        ...(mode === undefined ? {} : { mode }),
        ...(scoreThreshold === undefined ? {} : { scoreThreshold }),
      })
    : { settings: place.settings.enforcement, file: findConfigFile(place.facts.root) };
  if (hasFlag(options, 'json')) printJson({ ...settings, file, changed: isChange });
  else
    printEnforcement(
      settings,
      isChange
        ? `written to ${file}`
        : `Run \`andon rules enforce --mode <mode> --threshold <score>\` to write it into ${file}.`,
    );
  return 0;
}

function printEnforcement({ mode, scoreThreshold, autoPromote }: EnforcementSettings, where: string): void {
  printLine(`mode       ${mode}: ${MEANS[mode]}`);
  printLine(`threshold  ${scoreThreshold} of 100${mode === 'advisory' ? ' (counts in moderate and strict mode)' : ''}`);
  printLine(`suggest    ${autoPromote && mode !== 'strict' ? 'a stricter mode after five runs above 90' : 'nothing'}`);
  printLine(where);
}

const MEANS: Readonly<Record<Mode, string>> = {
  advisory: 'violations are only reported',
  moderate: 'a violated MUST rule or a low score fails CI; a low score blocks a commit',
  strict: 'a violated MUST rule or a low score fails CI and blocks a commit',
};
