import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stringify } from 'yaml';
import { readUnifiedDiff } from '../../../src/rules/text/unified-diff.ts';
import type { Modality, RuleStatus } from '../../../src/rules/model/rule-words.ts';
import { annotation } from '../../../src/rules/reporters/github.ts';
import { aFactory, type Factory } from '../../support/factory.ts';
import { forbids, ruleFile } from '../../support/rule-files.ts';
import { aFinding } from '../../support/inspections.ts';
import { isFacts, type Facts, type Runner } from '../run-cases.ts';
import { onlyKnown } from './messages-of-rows.ts';

/** Annotations, exit codes, and which diff is read. */
export const ci: Runner = ({ input, fixtures }) => {
  onlyKnown(input, KNOWN);
  if (typeof input['status'] === 'string') return annotated(input);
  if (typeof input['format'] === 'string') return inFormat(input['format']);
  if (typeof input['base'] === 'string') return withBase(input['base']);
  if (Array.isArray(input['diff'])) return diffed(input['diff'] as readonly string[]);
  return onRepository(input, fixtures);
};

const KNOWN = [
  'status',
  'modality',
  'title',
  'reason',
  'file',
  'line',
  'format',
  'base',
  'diff',
  'rules',
  'must',
  'violations',
  'mode',
  'config',
  'removed_lines',
  'added_lines',
  'branch_changes',
  'main_advanced',
];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const SEVERITIES = { MUST: 'HIGH', SHOULD: 'MEDIUM', MAY: 'LOW' } as const;

function annotated({ status, modality, title, reason, file, line }: Facts): Facts {
  if ((status as RuleStatus) !== 'VIOLATED') return { line: '' };
  const binding = String(modality).toUpperCase() as Modality;
  const { file: _, line: __, ...whole } = aFinding();
  const finding = {
    ...whole,
    modality: binding,
    severity: SEVERITIES[binding],
    title: textOf(title),
    message: textOf(title), // these rules have no words of their own
    reason: textOf(reason),
    ...(typeof file === 'string' ? { file } : {}),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
  const said = annotation(finding);
  return { line: said, contains: said, level: /^::(\w+)/.exec(said)?.[1] };
}

/** A short way of writing a diff: its new name, and the lines after `@@`. */
function diffed(rows: readonly string[]): Facts {
  const at = rows.findIndex((row) => row.startsWith('@@'));
  const body = rows.slice(at + 1);
  const before = body.filter((row) => !row.startsWith('+')).length;
  const after = body.filter((row) => !row.startsWith('-')).length;
  const header = rows.slice(0, at).filter((row) => row.startsWith('+++ '));
  const old = rows.slice(0, at).filter((row) => row.startsWith('--- '));
  const whole = [
    old[0] ?? header[0]?.replace('+++', '---').replace('b/', 'a/') ?? '',
    ...header,
    `@@ -${before === 0 ? 0 : 1},${before} +${after === 0 ? 0 : 1},${after} @@`,
    ...body,
    '',
  ];
  const read = readUnifiedDiff(whole.join('\n'));
  if (!read.ok) return { exit: 2, why: read.why };
  return {
    files: read.value.map(({ path }) => path),
    deleted: read.value.filter(({ change }) => change === 'deleted').map(({ path }) => path),
    added: read.value.flatMap(({ added }) => added.map(({ text }) => text)),
  };
}

/** The command on a repository in which a git before the real one notes that it was called. */
async function withBase(base: string): Promise<Facts> {
  const factory = await aFactory();
  const spy = join(factory.folder, 'spy');
  mkdirSync(spy);
  writeFileSync(
    join(spy, 'git'),
    `#!/bin/sh\ntouch '${join(factory.folder, 'agents', 'called')}'\nPATH="\${PATH#*:}" exec git "$@"\n`,
  );
  chmodSync(join(spy, 'git'), 0o755);
  factory.env['PATH'] = `${spy}${delimiter}${factory.env['PATH'] ?? ''}`;
  const { code } = await factory.andon('ci', `--base=${base}`);
  return { exit: code, git_called: factory.signal.has('called') };
}

/** The command in a format, on a change that breaks a rule in a mode that only reports. */
async function inFormat(format: string): Promise<Facts> {
  const factory = await aFactory({ files: { '.andon/rules/row.yaml': ruleFile(forbids('row', 'FORBIDDEN')) } });
  factory.git('checkout', '--quiet', '-b', 'row');
  factory.write('row.ts', 'FORBIDDEN\n');
  commit(factory);
  const { code, stdout, stderr } = await factory.andon('ci', '--format', format);
  return {
    exit: code,
    stdout: isJson(stdout) ? 'one json document' : stdout,
    banner_on: /advisory|only reported/i.test(stderr) ? 'stderr' : 'nowhere',
  };
}

function isJson(text: string): boolean {
  try {
    return isFacts(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A branch as the row describes it, in a real repository. */
async function onRepository(input: Facts, fixtures: Facts): Promise<Facts> {
  const count = Number(input['must'] ?? 0);
  const words = Array.from({ length: count }, (_, at) => `forbidden${at}`);
  const anything = forbids('any-line', 'x', { severity: 'LOW', match: { on: 'added_lines', pattern: '.' } });
  const named = Array.isArray(input['rules'])
    ? input['rules'].map((key) => (fixtures['rules'] as Facts)[String(key)])
    : undefined;
  const rules =
    input['rules'] === undefined ? [...words.map((word) => forbids(`rule-of-${word}`, word)), anything] : undefined;
  const mode = input['mode'] ?? 'advisory';
  const factory = await aFactory({
    files: {
      ...(rules === undefined ? {} : { '.andon/rules/row.yaml': ruleFile(...rules) }),
      ...(named === undefined ? {} : { '.rulebound/rules/row.yaml': stringify({ rules: named }) }),
      'row.ts': linesOf(input['removed_lines']),
    },
    projectConfig: { enforcement: { mode } },
  });
  factory.git('checkout', '--quiet', '-b', 'row');
  if (typeof input['config'] === 'string') factory.write('.rulebound/config.json', input['config']);
  const changed = (input['branch_changes'] as readonly string[] | undefined) ?? [];
  for (const path of changed) factory.write(path, 'changed\n');
  if (Array.isArray(input['added_lines'])) factory.write('row.ts', linesOf(input['added_lines']));
  if (count > 0) factory.write('new.ts', linesOf(words));
  commit(factory);
  if (input['main_advanced'] === true) {
    factory.git('checkout', '--quiet', 'main');
    factory.write('main.ts', 'advanced\n');
    commit(factory);
    factory.git('checkout', '--quiet', 'row');
  }
  const { code, stdout } = await factory.andon('ci', '--json');
  const findings = stdout === '' ? [] : (JSON.parse(stdout) as { findings: readonly { file: string }[] }).findings;
  return { exit: code, files: [...new Set(findings.map(({ file }) => file))] };
}

const linesOf = (lines: unknown): string =>
  Array.isArray(lines) ? lines.map((line) => `${String(line)}\n`).join('') : '';

function commit(factory: Factory): void {
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--allow-empty', '--message=A row');
}
