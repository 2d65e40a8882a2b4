import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forbids, ruleFile } from '../support/rule-files.ts';
import { aFactory } from '../support/factory.ts';

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
const BOX = '- [ ] approve';

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

  test('waits for a human, who is shown the contract, and is approved by a tick', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes(BOX));
    const page = factory.paper('PROPOSAL_DRAFT.md') ?? '';
    expect(page).toContain(`"task_id": "${ID}"`);
    expect(page).toContain('allowed_paths docs/auth_final.md: the files that the proposal names');
    expect((await factory.andon('status')).stdout).toContain('a proposal waits for your approval');
    expect(await factory.list()).toEqual([]);
    factory.drop(page.replace(BOX, '- [x] approve'), 'PROPOSAL_DRAFT.md');
    expect(await factory.end(dog, ID)).toBe('merged');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md') === undefined);
  });

  test('that is edited after its page was written is not approved by the old box', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes(BOX));
    const old = (factory.paper('PROPOSAL_DRAFT.md') ?? '').replace(BOX, '- [x] approve');
    factory.drop(PROPOSAL.replace('into one', 'into two'), 'PROPOSAL.md');
    await dog.until(() => factory.paper('PROPOSAL_DRAFT.md')?.includes('into two'));
    factory.drop(old, 'PROPOSAL_DRAFT.md');
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
    const rule = forbids('no-login', 'login', {
      severity: 'CRITICAL',
      phase: ['ANALYSIS'],
      is_hard_constraint: true,
      match: { on: 'plan', pattern: 'login' },
    });
    const factory = await aFactory({ files: { '.andon/rules/app.yaml': ruleFile(rule) } });
    const dog = await factory.watch();
    factory.drop(PROPOSAL, 'PROPOSAL_FINAL.md');
    await dog.until(() => factory.paper('PROPOSAL_REJECTED.md')?.includes('no-login'));
    expect(factory.paper('PROPOSAL_FINAL.md')).toBe(PROPOSAL);
    expect(await factory.list()).toEqual([]);
  });

  test.each([
    ['before the contract was written', [] as const],
    ['after it was written', ['queue'] as const],
  ])('of which andon was killed %s becomes one task', async (_, written) => {
    const factory = await aFactory({ apart: true });
    factory.drop(PROPOSAL, 'PROPOSAL_FINAL.md');
    const drafted = JSON.parse((await factory.andon('draft', '--json')).stdout) as { readonly contract: object };
    // What a kill between two steps of it leaves.
    factory.drop(PROPOSAL, 'queue/PROPOSAL_TAKEN.md');
    rmSync(join(factory.handoff, 'PROPOSAL_FINAL.md'));
    if (written.length > 0) factory.drop(drafted.contract, `queue/${ID}.json`);
    const dog = await factory.watch();
    expect(await factory.end(dog, ID)).toBe('merged');
    await dog.until(() => factory.paper(`archive/${ID}/PROPOSAL_FINAL.md`) === PROPOSAL);
    expect((await factory.list()).map(({ task_id: id }) => id)).toEqual([ID]);
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
    ['no proposal', undefined, 'there is no _handoff/PROPOSAL.md'],
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
