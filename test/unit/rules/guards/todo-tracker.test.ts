import { checklistOf } from '../../../../src/rules/guards/checklist.ts';
import { trackTodos } from '../../../../src/rules/guards/todo-tracker.ts';
import { describe, expect, it } from 'vitest';
import { standardMessages } from '../../../../src/project/config/message-settings.ts';

const { todo_tracker: usual } = standardMessages();
const LIST = 'EXPECTED OUTCOME:\n- Create src/auth.ts\n- Write tests\n- Run npm test';

describe('a checklist', () => {
  it.each([
    [
      'below its header',
      `Do this.\n${LIST}\n\nNOTES\n- be quick`,
      ['Create src/auth.ts', 'Write tests', 'Run npm test'],
    ],
    ['without a header', '- one\n2. two\n* [ ] three', ['one', 'two', 'three']],
    ['on the line of its header', 'Expected outcome: the export works', ['the export works']],
    [
      'up to the next label',
      `${LIST}\n\nConstraints:\n- be quick`,
      ['Create src/auth.ts', 'Write tests', 'Run npm test'],
    ],
    ['up to a label with text', 'EXPECTED OUTCOME:\n- one\nContext: src/b.ts calls it\n- two', ['one']],
    [
      'below a numbered header',
      '1. TASK: Fix it\n2. EXPECTED OUTCOME:\n- it works\n3. MUST NOT DO:\n- Touch src/b.ts',
      ['it works'],
    ],
    ['below a numbered heading', '## 2. EXPECTED OUTCOME\n- one\n## 3. CONTEXT\n- two', ['one']],
    ['without its details', 'Task: fix the login\n- Reported by Anna', ['fix the login']],
    ['in parts', 'EXPECTED OUTCOME:\nBackend:\n- one\n\nFrontend:\n- two', ['one', 'two']],
    ['without a list', 'Fix the login.\nUpdate the docs.', ['Fix the login.', 'Update the docs.']],
  ])('is read %s', (_, text, items) => {
    expect(checklistOf(text).map((item) => item.text)).toEqual(items);
  });
});

describe('what is left of a task', () => {
  it.each([
    ['everything after a bare DONE', 'DONE', LIST, ['Create src/auth.ts', 'Write tests', 'Run npm test']],
    ['nothing when each item is told of', 'Created src/auth.ts. Wrote tests. npm test passes, I ran it.', LIST, []],
    [
      'what is still in progress',
      'Created the auth module. Docs are still in progress.',
      '- Create the auth module\n- Update docs',
      ['Update docs'],
    ],
    ['what was not done', 'I have not written tests yet. DONE', '- Write tests', ['Write tests']],
    [
      'nothing beside an exception of something else',
      'All is done and nothing other than src/auth.ts was changed. DONE',
      '- Create src/auth.ts',
      [],
    ],
    [
      'what is excepted behind a comma',
      'Everything is done, except the docs. DONE',
      '- Write the docs',
      ['Write the docs'],
    ],
    ['all but what is named', 'All but the docs are done. DONE', '- Write the docs', ['Write the docs']],
    [
      'nothing where a test is excepted',
      'All functions are covered by tests except for trivial getters of src/auth.ts. DONE',
      '- Write tests for src/auth.ts',
      [],
    ],
    ['what is excepted', 'All items are done except the docs.', '- Write the docs', ['Write the docs']],
    ['what will be done', 'I will update the docs. DONE', '- Update the docs', ['Update the docs']],
    [
      'what failed, beside a marker',
      'Create the importer: done\nWrite the docs: failed',
      '- Create the importer\n- Write the docs',
      ['Write the docs'],
    ],
    [
      'what is not done by its number',
      'Item 1 done. Item 2 not done.',
      '- Create the importer\n- Write the docs',
      ['Write the docs'],
    ],
    ['nothing when only the item speaks of a failure', 'Handle failed logins: done', '- Handle failed logins', []],
    ['nothing, in Korean', '로그인 화면 수정을 완료했습니다.', '- 로그인 화면 수정', []],
    ['what is not done, in Chinese', '登录页面还没有修复。完成', '- 修复登录页面', ['修复登录页面']],
  ])('is %s', (_, said, list, pending) => {
    expect(trackTodos(said, list, usual)).toMatchObject({ pending, complete: pending.length === 0 });
  });

  it.each([
    ['Show the remaining time', '- [x] Show the remaining time'],
    ['Blocked users cannot log in', '✅ Blocked users cannot log in'],
    ['Skip rows without a date', 'DONE: Skip rows without a date'],
    ['Do not log passwords', '- [x] Do not log passwords. Passwords are not logged any more.'],
    ['Import must not stop at a bad row', 'Import must not stop at a bad row: implemented'],
  ])('is not decided by the words of an item: %s', (item, said) => {
    expect(trackTodos(said, `- ${item}`, usual).pending).toEqual([]);
    expect(trackTodos(`${item}: not done yet`, `- ${item}`, usual).admitted).toEqual([item]);
  });

  it.each([
    ['Document the endpoint', '- [x] Add it\n- [ ] Document the endpoint'],
    ['Document the endpoint', '❌ Document the endpoint'],
    ['Document the endpoint', 'Not done:\n- Document the endpoint'],
    ['Document the endpoint', 'Remaining work: document the endpoint.'],
    ['Sort by name', 'Sort by name does not work yet.'],
    ['Bump the version', 'I have not bumped the version.'],
    ['Show the error', 'I was unable to show the error.'],
    ['Invalidate the cache', 'Invalidating the cache is left for a follow-up.'],
  ])('is admitted: %s', (item, said) => {
    expect(trackTodos(said, `- ${item}`, usual).admitted).toEqual([item]);
  });

  it.each([
    ['Keep the session cookie', 'I did not change the session cookie.'],
    ['Cache the result', 'I have not cached errors.'],
    ['Accept empty input', 'The parser no longer fails on empty input.'],
    ['Do not log passwords', 'I did not log passwords.'],
  ])('is not admitted beside it: %s', (item, said) => {
    expect(trackTodos(said, `- ${item}`, usual).admitted).toEqual([]);
  });

  it('is known by evidence before words', () => {
    const facts = { changed: ['src/auth.ts'], runs: [{ command: 'npm test', isGreen: true }] };
    expect(trackTodos('Wrote tests.', LIST, usual, facts).items.map(({ state }) => state)).toEqual([
      'evidence',
      'words',
      'evidence',
    ]);
  });

  it('is told at the end of the turn, in the words of the layer', () => {
    expect(trackTodos('Created src/auth.ts.', LIST, usual).reminder).toBe(
      '[SYSTEM] Remaining: 2 items. Next: Write tests',
    );
    expect(trackTodos('DONE', LIST, { ...usual, reminder_on_incomplete: false }).reminder).toBe('');
  });

  it.each([
    'The importer failed with a timeout.',
    'The importer: failed on CI',
    'The importer was rejected by the linter.',
  ])('keeps an item that has failed, whatever else is DONE: %s', (said) => {
    expect(trackTodos(`${said} DONE`, '1. Create the importer', usual).complete).toBe(false);
  });

  it.each([
    ['Create the importer', 'I created the importer with 12 passing and 0 failed tests. Done.'],
    ['Create the importer', 'Created the importer for open orders. DONE'],
    ['Write the tests', 'Wrote the tests for failed logins. DONE'],
  ])('leaves nothing of "%s" in: %s', (item, said) => {
    expect(trackTodos(said, `1. ${item}`, usual).complete).toBe(true);
  });

  it.each([
    ['Job 4 state: TASK_COMPLETE', true],
    ['완료', true],
    ['not DONE', false],
    ['I have not completed the migration', false],
    ['완료하지 못했다', false],
    ['', false],
  ])('without a checklist is a matter of its words: %s', (said, complete) => {
    expect(trackTodos(said, undefined, usual).complete).toBe(complete);
  });
});
