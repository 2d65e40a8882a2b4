import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { resolvePaths, type TrackedFiles } from '../../../../src/project/contract/resolve-paths.ts';
import { parseContract, type ParsedContract } from '../../../../src/project/contract/task-contract-schema.ts';
import type { TaskContract } from '../../../../src/project/contract/task-contract.ts';

function parsed(text: string): ParsedContract {
  const read = parseContract(text);
  if (!read.ok) throw new Error(`refused: ${JSON.stringify(read.why)}`);
  return read.value;
}

const sample = parsed(readFileSync('contracts/examples/doc-001-auth-merge.json', 'utf8'));
const tracked = (...files: string[]): TrackedFiles => ({
  has: (path) => files.includes(path),
  hasFolder: (path) => files.some((file) => file.startsWith(`${path}/`)),
});
const usual = tracked('docs/auth_v1.md', 'docs/auth_v2.md', 'README.md', 'src/a.ts');

function aContract(change: {
  allowed?: string[];
  forbidden?: string[];
  sources?: string[];
  target?: string | undefined;
}): TaskContract {
  const { allowed = ['docs/'], forbidden = [], sources = [] } = change;
  return {
    ...sample.contract,
    constraints: { ...sample.contract.constraints, allowedPaths: allowed, forbiddenPaths: forbidden },
    specification: {
      ...sample.contract.specification,
      sourceFiles: sources.map((path) => ({ path, sha256: undefined })),
      targetFile: change.target,
    },
  };
}

function resolved(contract: TaskContract, repository = usual): TaskContract {
  const outcome = resolvePaths(contract, repository);
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.why)}`);
  return outcome.value;
}

function refused(contract: TaskContract, repository = usual): string[] {
  const outcome = resolvePaths(contract, repository);
  return outcome.ok ? [] : outcome.why.map(({ path, found, expected }) => `${path} ${found} ${expected}`);
}

describe('paths of a contract', () => {
  it.each([
    [['docs/'], ['docs/']],
    [['docs'], ['docs']],
    [['docs/**'], ['docs']],
    [['src/**/*.ts'], ['src/**']],
    [['docs/', 'README.md'], ['**']],
    [['README.md', '.github/workflows/'], ['README.md']],
  ])('that are allowed (%j) and all forbidden again (%j) are refused', (allowed, forbidden) => {
    expect(refused(aContract({ allowed, forbidden }))).toEqual([
      expect.stringMatching(/^\$\.constraints "allowed_paths .*; forbidden_paths .*" .* forbidden_paths do not cover/),
    ]);
  });

  it.each([
    [['docs/'], ['docs/*']],
    [['docs/**'], ['docs/*.md']],
    [['docs/', 'src/'], ['docs/']],
    [['src/**'], ['src/*/**/*.ts']],
  ])('that are allowed (%j) and only partly forbidden (%j) are fine', (allowed, forbidden) => {
    expect(refused(aContract({ allowed, forbidden }))).toEqual([]);
  });

  it('that never open are named beside unreadable ones, where no other is open', () => {
    const unreadable = expect.stringContaining('../x') as unknown;
    expect(refused(aContract({ allowed: ['../x', '.git/hooks/'] }))).toEqual([
      unreadable,
      expect.stringContaining('".git/hooks/"'),
    ]);
    expect(refused(aContract({ allowed: ['docs/', '../x', '.git/hooks/'] }))).toEqual([unreadable]);
  });

  it('of the design document lead into docs/ of a repository that is the project', () => {
    const { constraints, specification } = resolved(sample.contract);
    expect(constraints.allowedPaths).toStrictEqual(['docs/']);
    expect(specification.sourceFiles.map(({ path }) => path)).toStrictEqual(['docs/auth_v1.md', 'docs/auth_v2.md']);
    expect(specification.targetFile).toBe('docs/auth_final.md');
  });

  it('keep the project in front where the repository has such a folder', () => {
    const repository = tracked('Project-A/docs/auth_v1.md', 'Project-A/docs/auth_v2.md');
    const { constraints, specification } = resolved(sample.contract, repository);
    expect(constraints.allowedPaths).toStrictEqual(['Project-A/docs/']);
    expect(specification.targetFile).toBe('Project-A/docs/auth_final.md');
  });

  it('lose the project in front in every list', () => {
    const contract = aContract({
      allowed: ['Project-A/docs/**', 'Project-A/src/'],
      forbidden: ['Project-A/src/b.ts'],
      sources: ['Project-A/src/a.ts'],
      target: 'Project-A/src/c.ts',
    });
    const { constraints, specification } = resolved(contract);
    expect(constraints).toMatchObject({ allowedPaths: ['docs/**', 'src/'], forbiddenPaths: ['src/b.ts'] });
    expect(specification).toMatchObject({ sourceFiles: [{ path: 'src/a.ts' }], targetFile: 'src/c.ts' });
  });

  it('mean the whole repository when only the project is named', () => {
    expect(resolved(aContract({ allowed: ['Project-A/'], target: 'new.md' })).constraints.allowedPaths).toStrictEqual([
      '**',
    ]);
  });

  it('name a file at the root when there is one', () => {
    expect(resolved(aContract({ sources: ['README.md'] })).specification.sourceFiles[0]?.path).toBe('README.md');
    expect(refused(aContract({ target: 'README.md' }))[0]).toContain('inside allowed_paths (docs/)');
  });

  it('find bare names in a folder that is named without its slash', () => {
    expect(resolved(aContract({ allowed: ['docs'], target: 'new.md' })).specification.targetFile).toBe('docs/new.md');
  });

  it.each([[['docs/', 'src/']], [['docs/*']], [['docs/auth_v1.md']]])(
    'are not guessed when the allowed paths are %j',
    (allowed) => {
      expect(refused(aContract({ allowed, sources: ['auth_v1.md'] }))).toHaveLength(1);
    },
  );
});

describe('a contract is refused', () => {
  it('when a source file does not exist, saying what was looked for', () => {
    const [fault] = refused(aContract({ sources: ['auth_v9.md'] }));
    expect(fault).toContain('$.specification.source_files[0].path "auth_v9.md"');
    expect(fault).toContain('auth_v9.md and docs/auth_v9.md');
  });

  it.each([
    [{ target: 'src/b.ts' }, 'inside allowed_paths'],
    [{ target: 'docs/secret/x.md', forbidden: ['docs/secret/'] }, 'forbidden_paths'],
    [{ target: 'docs/.npmrc' }, 'control file'],
    [{ allowed: ['**'], target: 'docs' }, 'this is a folder'],
    [{ allowed: ['docs/'], target: 'docs' }, 'this is a folder'],
    [{ allowed: ['docs/'], target: 'src' }, 'this is a folder'],
    [{ allowed: ['**'], target: 'Project-A//etc/x' }, 'from the root'],
    [{ allowed: ['Project-A//etc/'] }, 'from the root'],
  ])('when its paths are %j', (change, words) => {
    expect(refused(aContract(change)).join()).toContain(words);
  });

  it('when two names turn out to be one source file', () => {
    expect(refused(aContract({ sources: ['auth_v1.md', 'docs/auth_v1.md'] }))[0]).toContain('each source file once');
  });

  it('with every fault at once and its line', () => {
    const outcome = resolvePaths(sample.contract, tracked('README.md'), sample.lineOf);
    expect(outcome.ok ? [] : outcome.why.map(({ line }) => line)).toStrictEqual([29, 30]);
  });
});
