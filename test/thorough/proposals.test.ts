/** @module-tag thorough */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proposalPlanPath } from '../../src/base/names.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { forbids, ruleFile } from '../support/rule-files.ts';
import { driveBy, scriptDriven } from '../support/drivers.ts';
import { aFactory, type Factory, type Options } from '../support/factory.ts';
import { FINAL, judges, answerOnce, writes, type Call } from '../support/scenario.ts';

const PROPOSAL = `# Proposal: One login document
**Complexity:** minor
## Source files
- \`docs/auth_v1.md\`
## Target
- \`docs/auth_final.md\`
## Requirements
- [ ] Merge both documents into one
## Gates
- there=true
`;
const ID = 'ONE-LOGIN-DOCUMENT';
const WAITS = 'approval';

const NO_LOGIN = forbids('no-login', 'login', {
  severity: 'CRITICAL',
  phase: ['ANALYSIS'],
  is_hard_constraint: true,
  match: { on: 'plan', pattern: 'login' },
});
/** A project whose rules of analysis let no plan about a login through. */
const FORBIDS_LOGINS: Options = { files: { '.andon/rules/app.yaml': ruleFile(NO_LOGIN) } };

/** What `andon draft --json` tells. */
interface Drafted {
  readonly tasks: readonly { readonly task_id: string; readonly contract: object }[];
}

describe('a proposal', () => {
  test('that is approved by its name becomes a contract, is merged, and lies with its papers in the end', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL_FINAL.md');
    expect(await factory.end(dog, ID)).toBe('merged');
    await dog.until(() => factory.paper(`archive/${ID}/PROPOSAL_FINAL.md`) === PROPOSAL);
    expect(factory.paper('PROPOSAL_FINAL.md')).toBeUndefined();
    expect(factory.paper('queue/PROPOSAL_TAKEN.md')).toBeUndefined();
  });

  test('waits for a human, who is shown the contract, and is approved by a command', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes(WAITS));
    const page = factory.paper('PROPOSAL_DRAFT.md') ?? '';
    expect(page).toContain(`"task_id": "${ID}"`);
    expect(page).toContain('allowed_paths docs/auth_final.md: the files that the proposal names');
    expect((await factory.andon('status')).stdout).toContain('a proposal waits for your approval');
    expect(await factory.list()).toEqual([]);
    expect((await factory.andon('draft', '--approve')).code).toBe(0);
    expect(await factory.end(dog, ID)).toBe('merged');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md') === undefined);
  });

  test('is approved by nothing that is written into its page', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes(WAITS));
    factory.drop(`${factory.paper('PROPOSAL_DRAFT.md') ?? ''}\n- [x] approve\n`, 'PROPOSAL_DRAFT.md');
    factory.drop(`${PROPOSAL}\n## Notes\nlast`, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes('"notes": "last"'));
    expect(factory.paper('PROPOSAL.md')).toContain('last');
    expect(await factory.list()).toEqual([]);
  });

  test('that makes no contract is refused in writing with every reason, and is read again when it is corrected', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(
      PROPOSAL.replace('Merge both documents into one', 'Improve').replace('minor', 'huge'),
      'PROPOSAL_FINAL.md',
    );
    await dog.until(() => factory.paper('PROPOSAL_REJECTED.md'));
    expect(factory.paper('PROPOSAL_REJECTED.md')).toContain('expected one of trivial');
    factory.drop(PROPOSAL.replace('Merge both documents into one', 'Improve'), 'PROPOSAL_FINAL.md');
    await dog.until(() => factory.paper('PROPOSAL_REJECTED.md')?.includes('is vague'));
    expect((await factory.andon('status')).stdout).toContain('a proposal was refused');
    factory.drop(PROPOSAL, 'PROPOSAL_FINAL.md');
    expect(await factory.end(dog, ID)).toBe('merged');
    expect(factory.paper('PROPOSAL_REJECTED.md')).toBeUndefined();
  });

  test('is held against the rules of analysis before anything is made of it', async () => {
    const factory = await aFactory(FORBIDS_LOGINS);
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL_FINAL.md');
    await dog.until(() => factory.paper('PROPOSAL_REJECTED.md')?.includes('no-login'));
    expect(factory.paper('PROPOSAL_FINAL.md')).toBe(PROPOSAL);
    expect(await factory.list()).toEqual([]);
  });

  test('becomes one task also where its plan was lost before the contract was written', async () => {
    const factory = await aFactory({ apart: true });
    factory.drop(PROPOSAL, 'queue/PROPOSAL_TAKEN.md');
    const dog = await factory.watch();
    expect(await factory.end(dog, ID)).toBe('merged');
    await dog.until(() => factory.paper(`archive/${ID}/PROPOSAL_FINAL.md`) === PROPOSAL);
    expect((await factory.list()).map(({ task_id: id }) => id)).toEqual([ID]);
  });
});

const MORE = '# More\n\nSee the login document for everything else that there is to know.\n';
const SEVERAL = `# Proposal: Logins
## Task 1: One login document
### Target
- \`docs/auth_final.md\`
### Requirements
- [ ] Merge both documents into one
## Task 2: A page that links to it
### Source files
- \`docs/auth_final.md\`
### Target
- \`docs/more.md\`
### Requirements
- [ ] There is a page with a link to it
`;
const IDS = ['ONE-LOGIN-DOCUMENT', 'A-PAGE-THAT-LINKS-TO-IT'];
const WORK = {
  implementer: [answerOnce(writes({ 'docs/auth_final.md': FINAL })), writes({ 'docs/more.md': MORE })],
  judge: [
    answerOnce(judges('PASS')),
    judges('PASS', { evidence: [{ file: 'docs/more.md', line: 3, quote: MORE.split('\n')[2] }] }),
  ],
};

describe('a proposal of several tasks', () => {
  test('is shown as a whole, approved by one command, and merged in its order; a source that the first makes is no fault', async () => {
    const factory = await aFactory();
    factory.script(WORK);
    const dog = await factory.watch();
    factory.drop(SEVERAL, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes(WAITS));
    const page = factory.paper('PROPOSAL_DRAFT.md') ?? '';
    expect(page).toContain('# 2 tasks wait for your approval');
    expect(page).toContain('the order in which the tasks are written');
    expect((await factory.andon('draft', '--approve')).code).toBe(0);
    for (const id of IDS) expect(await factory.end(dog, id)).toBe('merged');
    await dog.until(() => factory.paper(`archive/${IDS[0]}/PROPOSAL_FINAL.md`) === SEVERAL);
    expect(factory.paper(proposalPlanPath(sha256(SEVERAL)))).toBeUndefined();
  });

  test('of which one is not right makes none', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(SEVERAL.replace('docs/more.md', '../more.md'), 'PROPOSAL_FINAL.md');
    await dog.until(() => factory.paper('PROPOSAL_REJECTED.md')?.includes('task 2: '));
    expect(factory.paper('PROPOSAL_FINAL.md')).toContain('../more.md');
    expect(await factory.list()).toEqual([]);
    expect(factory.paper(`queue/${IDS[0]}.json`)).toBeUndefined();
  });

  test('of which andon was killed between two contracts becomes both, each once', async () => {
    const factory = await aFactory({ apart: true });
    factory.script(WORK);
    factory.drop(SEVERAL, 'PROPOSAL_FINAL.md');
    const { tasks } = JSON.parse((await factory.andon('draft', '--json')).stdout) as Drafted;
    // What a kill behind the first contract leaves; the files of the project have changed since.
    const contracts = tasks.map(({ task_id: taskId, contract }) => ({ taskId, contract: JSON.stringify(contract) }));
    factory.drop({ proposal: sha256(SEVERAL), contracts }, proposalPlanPath(sha256(SEVERAL)));
    factory.drop(SEVERAL, 'queue/PROPOSAL_TAKEN.md');
    factory.drop(tasks[0]?.contract ?? {}, `queue/${IDS[0]}.json`);
    rmSync(join(factory.handoff, 'PROPOSAL_FINAL.md'));
    const dog = await factory.watch();
    for (const id of IDS) expect(await factory.end(dog, id)).toBe('merged');
    expect((await factory.list()).map(({ task_id: id }) => id).toSorted()).toEqual([...IDS].toSorted());
  });
});

const PROSE = '# Logins\n\nWe have two documents about logins. Please make one of them.\n';
const ANSWER: Call = {
  structured: {
    tasks: [
      {
        title: 'One login document',
        requirements: [
          { text: 'There is one document about logins', quote: 'Please make one of them' },
          { text: 'It is beautiful', quote: '' },
        ],
        acceptance_criteria: [],
        source_files: ['docs/auth_v1.md', 'docs/auth_v9.md'],
        changed_files: ['docs/auth_final.md'],
        complexity: 'minor',
        after: [],
      },
    ],
    questions: ['Which of the two wins?'],
  },
};

/** A line with a gemini that answers so; no configuration names it. */
async function withGemini(answer: Call, options: Options = {}): Promise<Factory> {
  const factory = await aFactory(options);
  driveBy(factory, 'gemini', { name: 'unused' });
  scriptDriven(factory, 'gemini', [answer]);
  return factory;
}
const asked = (factory: Factory): number =>
  factory.calls().filter(({ program, prompt }) => program === 'gemini' && prompt.includes('floor manager')).length;

describe('a proposal in prose', () => {
  test('is read by gemini, shown with what it added, and made by the command alone, also under the name of an approved one', async () => {
    const factory = await withGemini(ANSWER);
    const dog = await factory.watch();
    factory.drop(PROSE, 'PROPOSAL_FINAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes(WAITS));
    const page = factory.paper('PROPOSAL_DRAFT.md') ?? '';
    expect(page).toContain('made this contract of the prose');
    expect(page).toContain('requirement "It is beautiful": gemini added it; no words of the proposal ask for it');
    expect(page).toContain('left out: gemini names "docs/auth_v9.md": no file of the project');
    expect(page).toContain('gemini asks: Which of the two wins?');
    expect(page).toMatch(/"hash": "sha256-[0-9a-f]{64}"/);
    expect(factory.paper('PROPOSAL_FINAL.md')).toBe(PROSE);
    expect(await factory.list()).toEqual([]);
    expect((await factory.andon('draft', '--approve')).code).toBe(0);
    expect(await factory.end(dog, ID)).toBe('merged');
    expect(asked(factory)).toBe(1);
  });

  test.each([
    ['says nothing that can be read', { reply: 'Sure!' }, 'no JSON object with a draft'],
    ['fails', { reply: 'x', does: [{ exit: 3 }] }, 'gave no answer'],
  ] as const)('is refused in writing, and asked about once, where the agent %s', async (_, answer, why) => {
    const factory = await withGemini(answer);
    const dog = await factory.watch();
    factory.drop(PROSE, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_REJECTED.md')?.includes(why));
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes(WAITS));
    expect(asked(factory)).toBe(1);
    expect(factory.paper('PROPOSAL_REJECTED.md')).toBeUndefined();
  });

  test('is read by the judge where gemini does not answer', async () => {
    const factory = await aFactory({ scenario: { judge: [ANSWER] } });
    factory.drop(PROSE, 'PROPOSAL.md');
    const { code, stderr } = await factory.andon('draft');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Asking claude-code-cli') });
    expect(stderr).toContain('Made from prose by claude-code-cli');
  });

  test('is not sent to an agent where a human is the proposal reader', async () => {
    const factory = await aFactory({ projectConfig: { roles: { proposal_reader: 'human' } } });
    factory.drop(PROSE, 'PROPOSAL.md');
    const { code, stderr } = await factory.andon('draft');
    expect(code).toBe(2);
    expect(stderr).toContain('roles.proposal_reader is human');
  });

  test('is not sent to anybody where a rule forbids what it says', async () => {
    const factory = await withGemini(ANSWER, FORBIDS_LOGINS);
    factory.drop(PROSE, 'PROPOSAL.md');
    const { code, stderr } = await factory.andon('draft');
    expect(code).toBe(2);
    expect(stderr).toContain('no-login');
    expect(asked(factory)).toBe(0);
  });

  test('is approved by andon draft only as it was shown, and counted in the ledger', async () => {
    const factory = await withGemini(ANSWER);
    factory.drop(PROSE, 'PROPOSAL.md');
    const blind = await factory.andon('draft', '--approve');
    expect(blind.code).toBe(2);
    expect(blind.stderr).toContain('its contracts were not shown yet');
    const shown = await factory.andon('draft');
    expect(shown.stderr).toContain('Asking gemini for its tasks');
    expect(shown.stderr).toContain('Made from prose by gemini');
    expect((await factory.andon('draft', '--approve')).stdout).toContain('_handoff/queue/PROPOSAL_TAKEN.md');
    const dog = await factory.watch();
    expect(await factory.end(dog, ID)).toBe('merged');
    expect(asked(factory)).toBe(1);
  });
});

describe('andon draft', () => {
  test('shows the contract, what was inferred, and writes nothing', async () => {
    const factory = await aFactory();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    const { code, stdout, stderr } = await factory.andon('draft');
    expect(code).toBe(0);
    expect(JSON.parse(stdout.slice(0, stdout.lastIndexOf('}') + 1))).toMatchObject({
      task_id: ID,
      complexity: 'minor',
    });
    expect(stderr).toContain(`inferred: task_id ${ID}: made of the title`);
    expect(factory.paper('PROPOSAL.md')).toBe(PROPOSAL);
    expect(factory.has('_handoff/queue')).toBe(false);
  });

  test('--approve makes the proposal that lies there the approved one, and one from elsewhere a contract', async () => {
    const factory = await aFactory();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    expect((await factory.andon('draft', '--approve')).stdout).toContain('_handoff/PROPOSAL_FINAL.md');
    expect(factory.paper('PROPOSAL.md')).toBeUndefined();
    factory.write('../other.md', PROPOSAL.replace('One login', 'Another login'));
    expect((await factory.andon('draft', '../other.md', '--approve')).code).toBe(0);
    expect(factory.paper('queue/ANOTHER-LOGIN-DOCUMENT.json')).toContain('"task_id"');
  });

  test.each([
    ['no proposal', undefined, 'There is no _handoff/PROPOSAL.md'],
    ['one without requirements', PROPOSAL.replace('- [ ] Merge both documents into one\n', ''), 'no requirements'],
    ['one with a source that is not there', PROPOSAL.replace('auth_v1', 'auth_v9'), 'auth_v9'],
  ])('with %s ends with 2 and writes nothing', async (_, text, why) => {
    const factory = await aFactory();
    if (text !== undefined) factory.drop(text, 'PROPOSAL.md');
    const { code, stderr } = await factory.andon('draft', '--approve');
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(factory.paper('PROPOSAL.md')).toBe(text);
  });
});
