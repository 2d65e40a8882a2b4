import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { auditLog } from '../../../src/rules/files/audit-log.ts';
import { createViolationEntry } from '../../../src/rules/model/audit-entry.ts';
import { RULE_SEVERITIES } from '../../../src/rules/model/rule-words.ts';
import { aContract } from '../../support/contract.ts';
import { aFactory, type Factory } from '../../support/factory.ts';
import { aFinding } from '../../support/inspections.ts';
import { forbids, ruleFile } from '../../support/rule-files.ts';
import { writes } from '../../support/scenario.ts';
import { PATH, version } from '../../support/versions.ts';
import type { Facts } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';

/** One of the two logs of a project, by the name of its file; without lines where there is none. */
export function openAudit(
  factory: Factory,
  file: string,
): { readonly name: string | undefined; readonly lines: readonly Facts[] } {
  const [path] = globSync(join(factory.folder, 'state', '**', 'audit', file));
  if (path === undefined) return { name: undefined, lines: [] };
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return { name: basename(path), lines: lines.map((line) => JSON.parse(line) as Facts) };
}

/** The number of the last of so many violations of a day. */
export async function numbered(input: Facts): Promise<Facts> {
  const folder = mkdtempSync(join(tmpdir(), 'andon-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = auditLog(join(folder, 'audit'));
  const at = `${String(input['date'])}T10:00:00.000Z`;
  const facts = { at, phase: 'IMPLEMENTATION', agent: 'claude', task: null, surface: 'mcp', action: 'log' } as const;
  const entries = Array.from({ length: numberOf(input, 'n', 1) }, () => createViolationEntry(aFinding(), facts));
  for (const entry of entries) await log.append([entry]);
  return { log_id: log.violations().entries.at(-1)?.log_id };
}

/** A rule of a priority that a change on the line breaks. */
export async function brokenOnLine({ priority, violated }: Facts): Promise<Facts> {
  const severity = RULE_SEVERITIES[Number(String(priority).slice(1))];
  const match = { on: 'added_lines', pattern: 'FORBIDDEN' };
  const factory = await aFactory({
    files: { '.andon/rules/row.yaml': ruleFile(forbids('ROW', 'FORBIDDEN', { severity, match })) },
    scenario: { implementer: [writes({ [PATH]: `${version(1)}${violated === true ? 'FORBIDDEN\n' : ''}` })] },
  });
  const { dog, status } = await factory.run(aContract());
  await dog.stop();
  const { name } = openAudit(factory, 'rule_violations.jsonl');
  return {
    task_interrupted: status !== 'merged',
    audit_line: name !== undefined,
    appended_to: name === undefined ? null : `${basename(dirname(join('audit', name)))}/${name}`,
  };
}
