import { describe, expect, onTestFinished, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { driveBy } from '../support/drivers.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { modelApis, type Saying } from '../support/model-apis.ts';
import { FINAL } from '../support/scenario.ts';
import { installAgents } from './install-agents.ts';
import { pointedAt } from './pointed-at.ts';

// Two real programs of different makers on one panel; only the models behind them are a script, on the loopback.

const programs = installAgents();
const title = programs.ok ? 'two real programs' : `not run: ${programs.why}`;
if (!programs.ok) console.warn(title);

const TWO = ['codex', 'gemini'] as const;
const PATIENCE_MS = 150_000;
const [LINE = ''] = FINAL.split('\n').filter((text) => text.includes('15 minutes'));
const FOUND = {
  severity: 'high',
  category: 'requirement',
  file: 'docs/auth_final.md',
  line: 1,
  quote: LINE,
  description: 'it does not say what happens when the token has run out',
  fix: 'say it',
};
const POSITION = { finding: 'F1', says: 'AGREE', why: 'it does not', file: null, line: null, quote: null };

/** The model of one reviewer; whatever else its program asks gets a word. */
const saying =
  (first: object): Saying =>
  (prompt) => {
    if (prompt.includes('second and last round')) return JSON.stringify({ answers: [POSITION] });
    return prompt.includes('You are one of several reviewers') ? JSON.stringify(first) : 'A title';
  };

/** A repository in which one real program passes what the other holds a finding against. */
async function aPanel() {
  const factory = await aFactory();
  const said = { codex: { verdict: 'PASS', findings: [] }, gemini: { verdict: 'FAIL', findings: [FOUND] } };
  for (const program of TWO) {
    const api = await modelApis(saying(said[program]));
    onTestFinished(() => api.close());
    const own = { program: programs.ok ? programs.value[program] : '', ...pointedAt(api.url)[program] };
    const roles = program === 'codex' ? ['security'] : ['qa'];
    driveBy(factory, program, { own, name: program, profile: { roles, limits: { idle_minutes: 2 } } });
  }
  return factory;
}

const changed = (factory: Factory): void => {
  factory.git('switch', '-q', '-c', 'feature');
  factory.write('docs/auth_final.md', FINAL);
  factory.git('add', '--all');
  factory.git('commit', '-qm', 'one document');
};

describe.skipIf(!programs.ok)(title, () => {
  test('review a change together: what one of them cites stands, and the other was asked about it', async () => {
    const factory = await aPanel();
    changed(factory);
    const { code, stdout } = await factory.andon('review', '--agents', TWO.join(','), '--base', 'main', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'FAIL',
      rounds: 2,
      agents: [
        { name: 'codex', vote: 'VIOLATED', calls: [{ round: 1 }, { round: 2 }] },
        {
          name: 'gemini',
          vote: 'VIOLATED',
          dropped: [],
          findings: [{ file: 'docs/auth_final.md', line: 9, state: 'stands', agreed: ['codex'] }],
        },
      ],
    });
  });

  test('hold the local review of a line together', async () => {
    const factory = await aPanel();
    const dog = await factory.begin(aContract({ 'roles.local_reviewer': [...TWO], 'limits.max_review_cycles': 1 }));
    await dog.until(() => factory.isHalted() || factory.isMerged(), PATIENCE_MS);
    const story = await factory.story();
    expect(story).toContain('codex: PASS, 0 findings');
    expect(story).toContain('gemini: FAIL, 1 finding');
    expect(story).toContain('codex on what the others found: AGREE F1');
  });
});
