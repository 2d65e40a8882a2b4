import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeWords } from '../../../../../src/app/cli/commands/completion.ts';
import { commands } from '../../../../../src/app/cli/commands/index.ts';

const sources = {
  tasks: () => ['FIX-1', 'FIX-2', 'DOC-1'],
  waiting: () => ['LATER-1'],
  drills: () => ['all', 'crash'],
};
const offered = (...words: readonly string[]): readonly string[] | 'files' => {
  const found = completeWords(words, commands, sources);
  return found === 'files' ? found : found.map(({ value }) => value);
};

describe('completeWords', () => {
  it.each([
    [['sh'], ['show']],
    [
      ['show', ''],
      ['FIX-1', 'FIX-2', 'DOC-1'],
    ],
    [
      ['show', 'FIX'],
      ['FIX-1', 'FIX-2'],
    ],
    [['show', 'FIX-1', ''], []],
    [['show', '--pro'], ['--prompt']],
    [['show', '--diff', 'D'], ['DOC-1']],
    [['diff', 'D'], ['DOC-1']],
    [['cost', 'D'], ['DOC-1']],
    [['queue', 'm'], ['move']],
    [['queue', 'move', ''], ['LATER-1']],
    [['queue', 'move', '--before', ''], ['LATER-1']],
    [
      ['resume', '--path', ''],
      ['1', '2'],
    ],
    [['resume', '--path=2'], ['--path=2']],
    [
      ['resume', '--path', '=', ''],
      ['1', '2'],
    ],
    [
      ['resume', '--path', '='],
      ['1', '2'],
    ],
    [['new', '--after', 'FIX-1', 'D'], ['DOC-1']],
    [['agents', 'run', ''], []],
    [['drill', 'cr'], ['crash']],
    [['drill', 'crash', 'a'], ['all']],
    [['new', '--spec', ''], 'files'],
    [['new', '--spec='], 'files'],
    [['contract', 'lint', 'a.json', ''], 'files'],
    [['nowhere', ''], []],
    [[], offered('')],
  ] as const)('offers after %j only what may stand there', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });

  it('offers only words that begin as the typed one does', () => {
    const word = oneof(string(), constantFrom('show', '--task', '=', '--path=', 'resume', '--', 'ci', '__proto__'));
    assert(
      property(array(word, { minLength: 1, maxLength: 6 }), (words) => {
        const found = offered(...words);
        const last = words.at(-1) === '=' ? '' : (words.at(-1) ?? '');
        return found === 'files' || found.every((one) => one.startsWith(last));
      }),
    );
  });
});
