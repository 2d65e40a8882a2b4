import { describe, expect, it } from 'vitest';
import { prohibitedPaths, fillDefaults } from '../../../../../src/project/contract/draft/contract-draft.ts';

describe('a prohibition in prose', () => {
  it.each([
    ['Do not touch package.json.', ['package.json']],
    ["Dates in UTC; don't change `src/api/` or src/b.ts", ['src/api/', 'src/b.ts']],
    ['Mend it without changing CHANGELOG.md, and add a test', ['CHANGELOG.md']],
    ['You must not edit .env.production and docs/old.md. Change src/a.ts.', ['docs/old.md']],
    ['Never modify migrations/001.sql but src/db.ts', ['migrations/001.sql']],
  ])('names what is closed: %s', (text, paths) => {
    expect(prohibitedPaths(text).filter((path) => !path.startsWith('.'))).toEqual(paths);
  });

  it.each([
    'Change src/a.ts and package.json',
    'Users do not see their dates in src/a.ts',
    'Never throw in src/a.ts',
    'The file package.json may be changed',
    'Do not change behaviour',
  ])('is none where it is not certain: %s', (text) => {
    expect(prohibitedPaths(text)).toEqual([]);
  });

  it('closes the file in the contract, unless the same contract allows exactly it', () => {
    const standard = { project: 'p', implementer: [], local_reviewer: 'r', judge: 'j' };
    const draft = { requirements: ['Dates in UTC', 'Do not touch package.json'], allowed_paths: ['src/'] };
    expect(fillDefaults(draft, standard).forbidden_paths).toEqual(['package.json']);
    expect(fillDefaults({ ...draft, allowed_paths: ['package.json'] }, standard).forbidden_paths).toEqual([]);
  });
});
