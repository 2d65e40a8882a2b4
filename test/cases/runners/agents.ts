import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { claimFiles } from '../../../src/project/locks/claim-files.ts';
import { readAgentProfiles } from '../../../src/project/config/agent-profiles.ts';
import { AGENT_ROLES } from '../../../src/project/config/config-words.ts';
import { computeConsensus, type Vote } from '../../../src/line/panel/consensus.ts';
import { rulesOfProfile } from '../../../src/rules/select-rules.ts';
import { aRule } from '../../support/rules.ts';
import { forbids, ruleFile } from '../../support/rule-files.ts';
import { EVIL, ruled } from '../../support/ruled.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { runShape, textsOf, type Shape } from '../shapes.ts';

/** Agent profiles, which rules they hold, what several say together, and who may review a file. */
export const agents: Runner = ({ input }) => runShape(SHAPES, input);

const SHAPES: readonly Shape[] = [
  { known: 'value', fields: ['value'], run: ({ value }) => (Array.isArray(value) ? together(value) : registry(value)) },
  { known: 'agents', fields: ['agents'], run: registry },
  { known: 'agent', fields: ['agent'], run: ({ agent }) => registry({ agents: { a: agent } }) },
  { known: 'rules', fields: ['rules', 'ids'], run: held },
  { known: 'args', fields: ['args'], run: ({ args }) => typed(args as readonly string[]) },
  {
    known: 'claims',
    fields: ['claims'],
    run: ({ claims }) => claimed(claims as readonly (readonly [string, string])[]),
  },
  {
    known: 'holder',
    fields: ['holder', 'claim'],
    run: ({ holder, claim }) => claimed([[String(claim), 'src/x.ts']], holder),
  },
];

function registry(value: unknown): Facts {
  const text = JSON.stringify(value);
  const { profiles, faults } = readAgentProfiles([], { name: '.rulebound/agents.json', text });
  const facts = Object.fromEntries(
    profiles.flatMap(({ name, roles, rules, enforcement }) => [
      [`${name}.rules`, rules.join(',')],
      [`${name}.roles`, roles],
      [`${name}.enforcement`, enforcement],
    ]),
  );
  return { ...facts, count: profiles.length, error: faults.length > 0 };
}

function held(input: Facts): Facts {
  const ids = textsOf(input, 'ids');
  const { kept, idle } = rulesOfProfile(
    textsOf(input, 'rules'),
    ids.map((id) => aRule({ id })),
  );
  return { kept: kept.map(({ id }) => id), warning: idle.length > 0 };
}

/** Each row: agent, roles, what it says, and the modality of what is violated (MUST where none is named). */
function together(rows: readonly unknown[]): Facts {
  const votes = (rows as readonly (readonly [string, readonly string[], Vote['said'], string?])[]).map(
    ([agent, roles, said, modality = 'must']): Vote => ({
      agent,
      roles: AGENT_ROLES.filter((role) => roles.includes(role)),
      said,
      must: modality.toLowerCase() === 'must',
    }),
  );
  const { status, decidedBy } = computeConsensus(votes);
  return { status, decided_by: decidedBy, consensus: status === 'PASS', per_agent: votes.length };
}

/** The command in a project with a rule of security and a profile that is held to no other. */
async function typed(args: readonly string[]): Promise<Facts> {
  const profiles = { agents: { 'claude-admin': { rules: ['security/*'], enforcement: 'strict' } } };
  const rules = ruleFile(forbids('security.no-eval', 'eval'), forbids('style.no-export', 'export'));
  const files = { '.rulebound/agents.json': JSON.stringify(profiles), 'src/a.ts': EVIL };
  const factory = await ruled({ files }, 'advisory', rules);
  const { code, stdout, stderr } = await factory.andon(...args, '--file', 'src/a.ts');
  const isOwn = stdout.includes('security.no-eval') && !stdout.includes('style.no-export');
  return {
    exit: code,
    lists: stderr.includes('available agents: claude-admin') ? 'available agents' : undefined,
    rules_used: isOwn ? 'those of the profile' : undefined,
  };
}

/** Claims of several agents, one after the other; that of a dead process is free. */
async function claimed(claims: readonly (readonly [string, string])[], holder?: unknown): Promise<Facts> {
  const folder = mkdtempSync(join(tmpdir(), 'andon-claims-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (holder === 'dead process') claimAndDie(folder, 'src/x.ts');
  else if (holder !== undefined) throw new Error(`no holder is ${JSON.stringify(holder)}`);
  const granted: string[] = [];
  const refused: string[] = [];
  for (const [agent, file] of claims) {
    const result = await claimFiles(folder, agent, [file]);
    (result.granted.includes(file) ? granted : refused).push(agent);
  }
  return { granted, refused };
}

/** A process that claims a file and is gone before it gives it back. */
function claimAndDie(folder: string, file: string): void {
  const script = `
    const { claimFiles } = await import(${JSON.stringify(MODULE)});
    const { granted } = await claimFiles(${JSON.stringify(folder)}, 'dead', [${JSON.stringify(file)}]);
    process.exit(granted.length);
  `;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 1) throw new Error(stderr);
}

const MODULE = join(import.meta.dirname, '../../../src/project/locks/claim-files.ts');
