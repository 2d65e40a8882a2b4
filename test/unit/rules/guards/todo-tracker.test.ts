import { checklistOf, trackTodos } from '../../../../src/rules/guards/todo-tracker.ts';
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
