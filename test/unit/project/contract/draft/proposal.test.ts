import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  renderDraft,
  renderRejected,
  type DraftOnPage,
  type TaskOnPage,
} from '../../../../../src/project/contract/draft/proposal-page.ts';
import { isProse, readProposal } from '../../../../../src/project/contract/draft/proposal.ts';

const STANDARD = {
  project: 'Docs',
  implementer: ['qwen2.5-coder'],
  local_reviewer: 'deepseek-r1',
  judge: 'claude-code-cli',
};
const PROPOSAL = `# Proposal: Merge login notes
**Target Project:** Docs-Hub
**Complexity:** major
## 3. Source Files
- \`docs/a.md\`
- \`docs/b.md\`
## 4. Target Output
- \`docs/c.md\`
## 5. Requirements
- [x] Keep both tables
- [ ] One H1
## 6. Acceptance Criteria
- [ ] Links resolve
## 7. Constraints
- **Allowed paths:** \`docs/\`, \`README.md\`
- **Forbidden paths:** \`.env\`
- **Deletions allowed:** No
- **Max diff size:** 150 lines
## 8. Notes for Implementer
Take care.
`;
const readAll = (text: string) => {
  const outcome = readProposal(text, STANDARD);
  if (!outcome.ok) throw new Error(outcome.why.join('\n'));
  return outcome.value;
};
const read = (text: string) => {
  const [task] = readAll(text);
  if (task === undefined) throw new Error('no task');
  return task;
};
const whyNot = (text: string): string => {
  const outcome = readProposal(text, STANDARD);
  return outcome.ok ? '' : outcome.why.join('\n');
};

describe('a proposal', () => {
  test('says everything that a contract needs, and nothing of it is inferred but its id, gates and workers', () => {
    const { draft, inferred } = read(PROPOSAL);
    expect(draft).toMatchObject({
      task_id: 'MERGE-LOGIN-NOTES',
      project: 'Docs-Hub',
      complexity: 'major',
      requirements: ['Keep both tables', 'One H1'],
      acceptance_criteria: ['Links resolve'],
      source_files: ['docs/a.md', 'docs/b.md'],
      target_file: 'docs/c.md',
      allowed_paths: ['docs/', 'README.md'],
      forbidden_paths: ['.env'],
      allow_deletes: false,
      max_diff_size: 150,
      notes: 'Take care.',
    });
    expect(inferred.map((one) => one.split(' ')[0])).toEqual([
      'task_id',
      'gates:',
      'implementer',
      'local_reviewer',
      'judge',
    ]);
  });

  test('without a scope may change the file it is about, or those it starts from', () => {
    const without = PROPOSAL.replace(/- \*\*Allowed paths.*\n/, '');
    expect(read(without).draft.allowed_paths).toEqual(['docs/c.md']);
    expect(read(without.replace('- `docs/c.md`\n', '')).draft.allowed_paths).toEqual(['docs/a.md', 'docs/b.md']);
    expect(read(without).inferred.join('\n')).toContain('allowed_paths docs/c.md');
  });

  test.each([
    ['no requirements', PROPOSAL.replace(/- \[.\] (?:Keep|One).*\n/g, ''), 'there are no requirements'],
    ['vague requirements', PROPOSAL.replace('Keep both tables', 'Make it better'), 'is vague'],
    ['no title', PROPOSAL.replace(/^# .*\n/, ''), 'there is no title'],
    ['a size that is none', PROPOSAL.replace('major', 'enormous'), 'expected one of trivial'],
    ['no word about files', '# Proposal: X\n## Requirements\n- [ ] Do this thing well\n', 'which files may change'],
    ['nothing at all', '', 'there are no requirements'],
  ])('with %s makes no contract, and says why', (_, text, why) => {
    expect(whyNot(text)).toContain(why);
  });

  test('is read with the line ends of Windows as well', () => {
    expect(read(PROPOSAL.replaceAll('\n', '\r\n')).draft).toEqual(read(PROPOSAL).draft);
  });
});

const SEVERAL = `# Proposal: Logins
## Allowed paths
- \`docs/\`
## Task 1: Merge both documents
### Target
- \`docs/c.md\`
### Requirements
- Keep both tables
## Task 2: Link to it
**Complexity:** trivial
### Requirements
- The index links to it
## Task 3: Say when it changed
**After:** Merge both documents
### Requirements
- The first line has a date
## Requirements
- Every link resolves
`;

describe('a proposal of several tasks', () => {
  test('makes a contract of each, one after the other unless it says otherwise', () => {
    const tasks = readAll(SEVERAL);
    expect(tasks.map(({ draft: { task_id, after, complexity } }) => ({ task_id, after, complexity }))).toEqual([
      { task_id: 'MERGE-BOTH-DOCUMENTS', after: [], complexity: 'minor' },
      { task_id: 'LINK-TO-IT', after: ['MERGE-BOTH-DOCUMENTS'], complexity: 'trivial' },
      { task_id: 'SAY-WHEN-IT-CHANGED', after: ['MERGE-BOTH-DOCUMENTS'], complexity: 'minor' },
    ]);
    expect(tasks[1]?.inferred.join('\n')).toContain('the order in which the tasks are written');
    expect(tasks[2]?.inferred.join('\n')).not.toContain('the order in which');
  });

  test('has what is common to all in every contract', () => {
    const tasks = readAll(SEVERAL);
    expect(tasks.map(({ draft: { requirements, allowed_paths } }) => ({ requirements, allowed_paths }))).toEqual([
      { requirements: ['Every link resolves', 'Keep both tables'], allowed_paths: ['docs/'] },
      { requirements: ['Every link resolves', 'The index links to it'], allowed_paths: ['docs/'] },
      { requirements: ['Every link resolves', 'The first line has a date'], allowed_paths: ['docs/'] },
    ]);
  });

  test('numbers its tasks where it has an id of its own', () => {
    const tasks = readAll(SEVERAL.replace('## Allowed', '**Task id:** LOGIN\n## Allowed'));
    expect(tasks.map(({ draft: { task_id: id } }) => id)).toEqual(['LOGIN-1', 'LOGIN-2', 'LOGIN-3']);
    expect(tasks[1]?.draft.after).toEqual(['LOGIN-1']);
  });

  test.each([
    ['none', []],
    ['1, Link to it', ['MERGE-BOTH-DOCUMENTS', 'LINK-TO-IT']],
    ['Task 2', ['LINK-TO-IT']],
    ['OTHER-7', ['OTHER-7']],
  ] as const)('comes after %s where it says so', (said, after) => {
    expect(readAll(SEVERAL.replace('**After:** Merge both documents', `**After:** ${said}`))[2]?.draft.after).toEqual(
      after,
    );
  });

  test.each([
    [
      'two of one id',
      SEVERAL.replace('Link to it', 'Merge BOTH documents'),
      'task 2: its id MERGE-BOTH-DOCUMENTS is that of task 1',
    ],
    ['one without a title', SEVERAL.replace('Task 2: Link to it', 'Task 2'), 'task 2: there is no title'],
    [
      'one that is vague',
      SEVERAL.replace('The index links to it', 'Improve'),
      'task 2: the requirement "Improve" is vague',
    ],
    ['one with a size that is none', SEVERAL.replace('trivial', 'huge'), 'task 2: complexity: found "huge"'],
  ])('with %s makes none at all, and says which', (_, text, why) => {
    expect(whyNot(text)).toContain(why);
  });

  test('takes no heading in code, and no title of its own, for a task', () => {
    expect(readAll(PROPOSAL.replace('Take care.', '```\n## Task 1: X\n```'))).toHaveLength(1);
    expect(readAll(PROPOSAL.replace('# Proposal:', '# Task:'))).toHaveLength(1);
  });

  test('never throws, whatever it is, and never makes two contracts of one id', () => {
    const line = constantFrom(
      '# T',
      '## Task 1: A',
      '## Task: a',
      '### Task 2: B',
      '### Requirements',
      '- Do this one',
      '**After:** 2',
      '```',
      '',
    );
    assert(
      property(array(oneof(line, string({ maxLength: 20 })), { maxLength: 14 }), (lines) => {
        const outcome = readProposal(lines.join('\n'), STANDARD);
        const ids = outcome.ok ? outcome.value.map(({ draft }) => draft.task_id.toLowerCase()) : [];
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

describe('prose', () => {
  test.each([
    ['words under a title', '# Logins\n\nWe have two login documents. Make one of them.\n', true],
    ['words under headings that nobody knows', '# L\n## Background\nTwo documents.\n## Idea\nOne document.\n', true],
    ['a title alone', '# Proposal: Merge the login pages\n', false],
    ['nothing', '\n', false],
    ['a known heading that is empty', '# L\nSome words.\n## Requirements\n', false],
    ['a known field', '# L\n\n**Complexity:** minor\n\nSome words.\n', false],
    ['a proposal with tasks', SEVERAL, false],
    ['a proposal', PROPOSAL, false],
  ])('is, or is not: %s', (_, text, is) => {
    expect(isProse(text)).toBe(is);
  });
});

const draftOf = (task: Partial<TaskOnPage> = {}, more: readonly TaskOnPage[] = []): DraftOnPage => ({
  tasks: [{ taskId: 'A', contract: '{}\n', inferred: ['x'], notices: ['<b>`y`'], ...task }, ...more],
  by: undefined,
});

describe('the page about a proposal', () => {
  const page = renderDraft('PROPOSAL.md', draftOf());

  test('names the command that approves all tasks, has no box to tick, and says that it is not read', () => {
    const several = renderDraft('PROPOSAL.md', draftOf({}, draftOf({ taskId: 'B' }).tasks));
    expect(several).toContain('# 2 tasks wait for your approval');
    expect(several).toContain('type `andon draft --approve` or rename `PROPOSAL.md` to `PROPOSAL_FINAL.md`');
    expect(several).toContain('andon never reads this page');
    expect(several).not.toContain('- [ ]');
  });

  test('of prose names the command alone, which takes the contracts as they were shown', () => {
    const ofProse = renderDraft('PROPOSAL_FINAL.md', { ...draftOf(), by: 'gemini' });
    expect(ofProse).toContain('type `andon draft --approve`. To change it');
  });

  test('shows what it was told without HTML and code of its own', () => {
    expect(page).toContain("- ` b 'y'`");
    expect(renderRejected('PROPOSAL.md', PROPOSAL, ['a\nb', '<script>'])).not.toContain('<script>');
  });
});
