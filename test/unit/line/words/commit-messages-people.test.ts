import { describe, expect, it } from 'vitest';
import { toHistory } from '../../../../src/project/config/history-settings.ts';
import { commitPeople } from '../../../../src/line/words/commit-messages.ts';
import { aChange, called } from '../../../support/records.ts';

const ANDON = 'andon <andon@localhost>';
const ERIK = 'Erik <erik@example.org>';
const git = { signs: false, user: ERIK };
const people = (
  authors: string[] | undefined,
  history: Parameters<typeof toHistory>[0] = {},
  user: Parameters<typeof commitPeople>[2] = git,
) => {
  const change = aChange(authors === undefined ? {} : { authors });
  const found = commitPeople(
    { change, calls: [called({ station: 'implementer', agent: 'ollama', model: 'qwen<2>.5\n' })] },
    toHistory(history),
    user,
  );
  return found.ok ? found.value : found.why;
};

describe('The people of a commit', () => {
  it.each([
    ['andon, where agents did it all', undefined, {}, git, [ANDON, ANDON, []]],
    ['you, where only you committed', [ERIK], {}, git, [ERIK, ANDON, []]],
    ['andon and you, where both did', [ANDON, ERIK], {}, git, [ANDON, ANDON, [ERIK]]],
    ['you as committer, where commits are signed', undefined, {}, { ...git, signs: true }, [ANDON, ERIK, []]],
    [
      'andon, where they are signed and git has no name',
      undefined,
      {},
      { signs: true, user: undefined },
      [ANDON, ANDON, []],
    ],
    [
      'those that are configured',
      [ERIK],
      { author: 'Bot <b@x.org>', committer: 'andon' },
      git,
      ['Bot <b@x.org>', ANDON, [ERIK]],
    ],
    ['you by name of git', undefined, { author: 'A <a@x>', committer: 'user' }, git, ['A <a@x>', ERIK, []]],
  ] as const)('are %s', (_what, authors, history, user, [author, committer, coAuthors]) => {
    expect(people(authors?.slice(), history, user)).toEqual({ author, committer, coAuthors, signedOffBy: undefined });
  });

  it('name each implementer, without what would end a name', () => {
    const history = { co_authored_by: ['{agent} ({model}) <agents@x.org>', 'Jo <jo@x.org>'], signed_off_by: true };
    expect(people(undefined, history)).toEqual({
      author: ANDON,
      committer: ERIK,
      coAuthors: ['ollama (qwen2.5) <agents@x.org>', 'Jo <jo@x.org>'],
      signedOffBy: ERIK,
    });
  });

  it.each([{ signed_off_by: true }, { author: 'user' }])('are refused where git has no name (%j)', (history) => {
    expect(people(undefined, history, { signs: false, user: undefined })).toContain('no user.name and user.email');
  });
});
