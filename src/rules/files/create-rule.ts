import { withWriteErrors } from '../../base/with-write-errors.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { readProjectRulebook, lintRules } from './rulebook.ts';
import { basename, dirname, resolve } from 'node:path';
import type { Rulebook } from '../model/rule.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readRuleFile } from './project-files.ts';

/** Writes a valid, commented rule to start from; never overwrites. */
export async function createRule(root: string, id: string): Promise<string> {
  if (!/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(id))
    throw createUsageError(
      `${JSON.stringify(id.slice(0, 80))} is no id of a rule`,
      'a letter, then letters, digits, `_`, `.` and `-`, such as style.no-todo',
    );
  const { rules } = await readProjectRulebook(root, { selfTests: false });
  const there = rules.find(({ rule }) => rule.id === id);
  if (there !== undefined)
    throw new Problem(
      'file-exists',
      `the rule ${id} is there already, in ${there.source.name}`,
      'choose another id, or edit that file',
    );
  const name = `.andon/rules/${id}.yaml`;
  writeNew(root, name, template(id), 'choose another id, or edit that file');
  return name;
}

/** Writes a new file into a folder of andon's in the project; nothing is ever overwritten. */
export function writeNew(root: string, name: string, text: string, remedy: string): void {
  const door = openDir(root);
  const isFree = (): boolean => door.stat(name) === undefined;
  if (!isFree() || !withWriteErrors(name, () => door.write(name, text, isFree)))
    throw new Problem('file-exists', `${name} is there already`, remedy);
}

const template = (id: string): string => `schema: andon.rules/v1
# extends: [secrets]              # packs: constitutional, secrets, typescript, python, go
rules:
  - id: ${id}
    version: '1.0.0'              # raise it when the rule changes
    title: No TODO without a name
    severity: MEDIUM              # CRITICAL halts the task, HIGH is mended at once, MEDIUM is logged, LOW is a reminder
    # modality: SHOULD            # MUST, SHOULD or MAY; what an exit code makes of it. Default: by severity
    category: style
    phase: [IMPLEMENTATION, REVIEW]   # also ANALYSIS (proposal), TASKS (contract), TEST
    match:
      on: added_lines             # or file, diff_paths, plan, contract, response, report, message, test_output
      mode: forbid                # or require: its absence is the fault
      pattern: '\\bTODO\\b'         # RE2 syntax, always in single quotes
      not_pattern: 'TODO\\(\\w+\\)'   # a line that matches this as well is no match
      keywords: [todo]            # the pattern is tried only near one of these words
      exclude_patterns: ['*.md']  # without a slash: in every folder
      # file_patterns: ['src/**', '*.js']   # looks into these files only
    # content: |                  # prose that plans and contracts are weighed against, instead of a match
    #   Every TODO names who does it.
    message: A TODO has no owner
    suggestion: 'Write TODO(name): what is to be done'
    # waivable: true              # a hard constraint: only with signed_by
    tests:                        # tried whenever the rules are read: andon rules test ${id}
      violates: ['// TODO: later', '# TODO mend this']
      passes: ['// TODO(erik): later', 'const todos = [];']
`;

/**
 * Copies a sound file of rules into `.andon/rules/`, never over another one. A file of another tool keeps its format,
 * and is converted whenever it is read. `written` is undefined for a file with faults or without rules.
 */
export async function importRules(
  place: Workspace,
  cwd: string,
  name: string,
): Promise<{ readonly book: Rulebook; readonly written: string | undefined }> {
  const book = await lintRules(place, cwd, [name]);
  const file = resolve(cwd, name);
  const read = readRuleFile(dirname(file), basename(file));
  if (book.faults.length > 0 || book.rules.length === 0 || !('text' in read)) return { book, written: undefined };
  const written = `.andon/rules/${basename(file)}`;
  writeNew(place.facts.root, written, read.text, 'remove or rename it first');
  return { book, written };
}
