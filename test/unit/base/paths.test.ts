import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import {
  checkNamedPath,
  checkPath,
  checkPattern,
  classifyPath,
  isProtected,
  matchesOnlyProtected,
} from '../../../src/base/paths.ts';
import { PROTECTED, PROTECTED_PATHS } from '../../../src/base/protected-paths.ts';
import { foldPath } from '../../../src/base/path-spellings.ts';
import { expectEffortBelow } from '../../support/effort.ts';
import { anyCharacter } from '../../support/any-character.ts';

const named = (path: string) => ({ allowedPaths: [path], forbiddenPaths: [] });

const scope = (allowedPaths: string[], forbiddenPaths: string[] = []) => ({ allowedPaths, forbiddenPaths });

const everything = { allowedPaths: ['**'], forbiddenPaths: [] };

/** Paths made of the pieces that attacks are made of, and of anything else. */
const trickyPaths = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '.',
        '..',
        '',
        '.git',
        '.GIT',
        'git~1',
        '.g\u200cit',
        '.git ',
        '.git.',
        'a',
        'src',
        '~',
        'C:',
        '-x',
      ),
      fc.constantFrom(
        '.git::$DATA',
        '.ｇit',
        '.gıt',
        'GIT~1',
        'con',
        'nul.txt',
        '\\',
        '\0',
        '\n',
        '\u202e',
        'é',
        'e\u0301',
      ),
      fc.string({ unit: anyCharacter }),
    ),
  )
  .map((pieces) => pieces.join('/'));

describe('a path that an agent names', () => {
  it.each([
    'src/app.ts',
    'a..b.draft',
    'docs/über.md',
    '.gitignore',
    '.github/CODEOWNERS',
    'app/[id]/(auth)/page.tsx',
    'x y',
  ])('%s is fine', (path) => expect(checkPath(path)).toBeUndefined());

  it.each([
    '../../x',
    '/etc/passwd',
    '~/x',
    'C:\\x',
    'c:x',
    '\\\\server\\share',
    'file://x',
    'a/../../b',
    './a',
    'a//b',
    'a/',
  ])('%s cannot escape the repository (case 72)', (path) => expect(checkPath(path)).toMatch(/^The path .*[;.]/));

  it.each([
    '.git/config',
    '.GIT/config',
    'git~1/config',
    'GIT~2/x',
    '.g\u200dit/x',
    '.git /x',
    '.git./x',
    '.git::$DATA/x',
    'sub/.git/hooks/pre-commit',
    '.git',
    '.gi\ufefft/x',
    '.ｇｉｔ/x',
  ])('%j is .git by another name (case 73)', (path) => expect(checkPath(path)).toBeDefined());

  it.each([
    '',
    'a\0b',
    'a\nb',
    'a\u0085b',
    '-rf',
    'con',
    'a/NUL.txt',
    'com1',
    'e\u0301',
    'x:y',
    'a.',
    'a ',
    '\ud800',
    'a\u202eb',
  ])('%j is refused with a reason', (path) => expect(checkPath(path)).toMatch(/\.$/));

  it.each(['-rf', 'a\tb', 'e\u0301.md', 'dir /x.md', 'a.', 'it\'s "quoted".md', '[id].md'])(
    '%j may be written where the contract names exactly it',
    (path) => {
      expect(checkNamedPath(path)).toBeUndefined();
      expect(checkPattern(path)).toBeUndefined();
      expect(classifyPath(path, { allowedPaths: [path], forbiddenPaths: [] })).toBe('allowed');
    },
  );

  it.each(['../x', '/x', '.git/config', 'a\nb', 'x:y', 'con', '.git /x', 'a\\b'])(
    '%j may not be written even where the contract names exactly it',
    (path) => {
      expect(checkNamedPath(path)).toBeDefined();
      expect(classifyPath(path, { allowedPaths: [path], forbiddenPaths: [] })).not.toBe('allowed');
    },
  );

  it('is refused when it is too long', () => {
    expect(checkPath('a/'.repeat(2048) + 'b')).toMatch(/4096/);
    expect(checkPath('a'.repeat(256))).toMatch(/255/);
  });

  it('never escapes and never leads into .git if it is called fine', () => {
    fc.assert(
      fc.property(trickyPaths, (path) => {
        if (checkPath(path) !== undefined) return;
        const segments = path.split('/');
        expect(path.startsWith('/')).toBe(false);
        expect(segments.some((name) => name === '' || name === '.' || name === '..')).toBe(false);
        const bare = path
          .normalize('NFKC')
          .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
          .toLowerCase();
        expect(bare.split('/').some((name) => /^(?:\.git|git~\d+)[. ]*$/.test(name))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('two spellings of one path', () => {
  it.each([
    ['README.md', 'readme.MD'],
    ['stra\u00dfe', 'STRASSE'],
    ['e\u0301.txt', '\u00c9.TXT'],
    ['a. /b', 'a/b'],
  ])('%j and %j fold to the same', (one, other) => expect(foldPath(one)).toBe(foldPath(other)));

  it('fold to a form that folding leaves as it is', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (path) => foldPath(foldPath(path)) === foldPath(path)));
  });
});

describe('protected files', () => {
  it.each([
    '.gitattributes',
    '.gitmodules',
    'sub/.gitattributes',
    '.github/workflows/ci.yml',
    '.gitlab-ci.yml',
    '.env',
    '.env.local',
    '.claude/settings.json',
    'CLAUDE.md',
    'sub/claude.md',
    'AGENTS.md',
    'GEMINI.md',
    '.mcp.json',
    '.cursor/x',
    '.vscode/x',
    '.husky/pre-commit',
    '.npmrc',
    'package-lock.json',
    'x/yarn.lock',
    'go.sum',
    '_handoff/x',
    '.andon/x',
    '.Npmrc. ',
    'GITMOD~1',
    'CLAUDE~1/settings.json',
    '.cla\u200bude/settings.json',
    'СLAUDE.md',
    '.envrc',
    'services/api/.envrc',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
    '.circleci/config.yml',
    '.github/actions/setup/action.yml',
    '.github/CODEOWNERS',
    '.github/copilot-instructions.md',
    '.github/instructions/x.instructions.md',
    '.gitlab/CODEOWNERS',
    'docs/CODEOWNERS',
    'codeowners',
    '.forgejo/workflows/ci.yml',
    '.gitea/workflows/ci.yml',
    'Jenkinsfile',
    'ci/jenkinsfile',
    'Jenkinsfile.release',
    '.cursorrules',
    '.CursorRules',
    '.\u0441ursorrules',
    '.codex/config.toml',
    'opencode.json',
    '.gemini/settings.json',
    '.aider.conf.yml',
    '.yarnrc.yml',
    '.yarn/releases/yarn-4.cjs',
    '.cargo/config.toml',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.lefthook-local.toml',
    'deno.lock',
    'UV.LOCK',
    'sub/bun.lock',
    'app.code-workspace',
    '.rulebound/rules/a.yaml',
  ])('%s is closed even inside allowed paths (case 80)', (path) => {
    expect(isProtected(path)).toBe(true);
    expect(classifyPath(path, everything)).toBe('protected');
  });

  it.each([
    '.env.example',
    '.env.sample',
    '.github/ISSUE_TEMPLATE/bug.md',
    '.github/FUNDING.yml',
    'src/_handoff/x',
    'src/cursor/x.ts',
    'src/lefthook',
    'src/codex.ts',
    'docs/opencode.md',
    'src/actions/setup.ts',
    'src/lock.ts',
    'envrc',
    'src/git.ts',
    'environment.py',
    'CLAUDE.md.txt',
  ])('%s is an ordinary file', (path) => expect(classifyPath(path, everything)).toBe('allowed'));

  it('open only when the contract names that very file', () => {
    expect(classifyPath('package-lock.json', named('package-lock.json'))).toBe('allowed');
    expect(classifyPath('.github/workflows/ci.yml', named('.github/workflows/ci.yml'))).toBe('allowed');
    expect(classifyPath('.github/workflows/ci.yml', named('.github/workflows/'))).toBe('protected');
    expect(classifyPath('package-lock.json', named('*.json'))).toBe('protected');
    expect(classifyPath('Package-Lock.json', named('package-lock.json'))).toBe('protected');
  });

  it.each(['.git/config', '_handoff/TASK_CONTRACT.json', '.andon/config.yaml'])('%s can never be opened', (path) => {
    expect(classifyPath(path, { allowedPaths: [path], forbiddenPaths: [] })).toBe('protected');
  });

  it('are all on the published list', () => {
    for (const path of PROTECTED_PATHS)
      expect(isProtected(path.replace('*', 'x').replace(/\/$/, '/x')), path).toBe(true);
    expect(new Set(PROTECTED_PATHS).size).toBe(PROTECTED_PATHS.length);
  });

  it('are told with their reasons, entry by entry, where contracts are explained', () => {
    const page = readFileSync('docs/contract.md', 'utf8');
    for (const { why, paths } of PROTECTED) {
      const row = page.split('\n').find((line) => line.startsWith(`| ${why} |`));
      expect(row?.match(/`[^`]+`/g), why).toEqual(paths.map((path) => `\`${path}\``));
    }
  });

  it('may be more in one project, by patterns and under every spelling', () => {
    const scope = {
      ...everything,
      protectedPaths: { more: ['infrastructure/', 'secrets.*', 'deploy/prod.sh'], less: [] },
    };
    for (const path of [
      'infrastructure/a.tf',
      'Infrastructure/a.tf',
      'a/secrets.json',
      'deploy/prod.sh',
      'package-lock.json',
    ])
      expect([path, classifyPath(path, scope)]).toEqual([path, 'protected']);
    expect(classifyPath('deploy/test.sh', scope)).toBe('allowed');
    expect(classifyPath('deploy/prod.sh', { ...scope, allowedPaths: ['deploy/prod.sh'] })).toBe('allowed');
  });

  it('may be fewer for one user, entry by entry; what another entry protects stays closed', () => {
    const less = ['package-lock.json', '.vscode', '.git*', '.github/workflows/', '_handoff/', '.andon/', '.git'];
    const scope = { ...everything, protectedPaths: { more: [], less } };
    for (const path of [
      'package-lock.json',
      'sub/package-lock.json',
      '.vscode/settings.json',
      '.gitignore',
      '.github/workflows/ci.yml',
    ])
      expect([path, classifyPath(path, scope)]).toEqual([path, 'allowed']);
    for (const path of [
      '.idea/package-lock.json',
      '.gitlab-ci.yml',
      '.git/config',
      '_handoff/x',
      '.andon/config.yaml',
      'GITMOD~1',
    ])
      expect([path, classifyPath(path, scope)]).toEqual([path, 'protected']);
  });
});

describe('the scope of a contract', () => {
  it.each([
    ['src/app/', 'src/app/x.ts', 'allowed'],
    ['src/app/', 'src/app-x/y.ts', 'outside'],
    ['src/app', 'src/app-x', 'outside'],
    ['docs', 'docs/a/b.md', 'allowed'],
    ['docs/', 'docs', 'outside'],
    ['./src/a.ts', 'src/a.ts', 'allowed'],
    ['README.md', 'sub/README.md', 'outside'],
    ['src/**/*.ts', 'src/a/b/c.ts', 'allowed'],
    ['src/*.ts', 'src/a/b.ts', 'outside'],
    ['src/*.{ts,tsx}', 'src/a.tsx', 'allowed'],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', 'allowed'],
    ['app/(auth)/**', 'app/(auth)/page.tsx', 'allowed'],
    ['src/[!a].ts', 'src/b.ts', 'allowed'],
    ['src/[!a].ts', 'src/a.ts', 'outside'],
    ['**', 'a/../b', 'outside'],
  ] as const)('with %s allowed, %s is %s (case 78)', (pattern, path, answer) => {
    expect(classifyPath(path, scope([pattern]))).toBe(answer);
  });

  it.each([
    '.ENV',
    '.env ',
    '.env.',
    '.env::$DATA',
    '.еnv',
    'a/../.env',
    './.env',
    '.e\u200bnv',
    '．env',
    'sub/.env',
    '.env/x',
  ])('forbidding .env also forbids %j (case 75)', (path) =>
    expect(classifyPath(path, scope(['**'], ['.env']))).toBe('forbidden'),
  );

  it('lets forbidden win over allowed, also over a file named exactly', () => {
    expect(classifyPath('src/a.ts', scope(['src/a.ts'], ['src/']))).toBe('forbidden');
    expect(classifyPath('src/deep/key.pem', scope(['src/'], ['*.pem']))).toBe('forbidden');
    expect(classifyPath('src/a.ts', scope(['src/'], ['lib/a.ts']))).toBe('allowed');
  });

  it('fails closed on patterns that were never checked', () => {
    expect(classifyPath('src/a.ts', scope(['(a+)+$', '[z-a]', '/src/a.ts']))).toBe('outside');
    expect(classifyPath('src/a.ts', scope(['src/'], ['[z-a]']))).toBe('forbidden');
  });

  it('answers at once on long lists and long paths', () => {
    expectEffortBelow(150, () => {
      classifyPath('src/x/y.ts', scope(Array.from({ length: 10_000 }, (_, at) => `src/${String(at)}/x.ts`)));
      classifyPath('./'.repeat(500_000), scope(['**'], ['*.x', '**/a/**/*.b']));
      for (const glob of ['**/a/**/a/**/b', '**/*a*a*b', '**/*/**/*/**/*/*/b']) {
        expect(checkPattern(glob)).toBeUndefined();
        for (const path of ['a/'.repeat(511) + 'c', ('a'.repeat(254) + '/').repeat(4) + 'c'])
          classifyPath(path, scope([glob]));
      }
    });
  });
});

describe('a pattern in a contract', () => {
  it.each([
    'src/',
    'src/**',
    '*.md',
    './docs',
    'a b/c',
    '.env',
    '.git/',
    'src/**/*.{ts,tsx}',
    'app/(auth)/',
    '@scope/**',
    'a[0-9]',
  ])('%s is accepted', (pattern) => expect(checkPattern(pattern)).toBeUndefined());

  it.each([
    '',
    './',
    '/etc',
    '../x',
    'a/../b',
    '~',
    '~/x',
    'C:\\x',
    'a\\b',
    '!x',
    'a\0',
    '(a+)+$',
    '@(a|b)',
    '+(a)',
    '(?:a)',
    ' a',
    'x'.repeat(1001),
    '[z-a]',
    '{1..9}',
    'a{b',
    '*a*a*a*a*a',
    '**/**/a/**/b/**',
    'a//b',
  ])('%j is refused with a reason (case 69)', (pattern) => {
    expect(checkPattern(pattern)).toMatch(/^The pattern .*\.$/);
  });

  it('never makes a check throw', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (pattern, path) => {
        checkPattern(pattern);
        expect(['allowed', 'outside', 'forbidden', 'protected']).toContain(
          classifyPath(path, { allowedPaths: [pattern], forbiddenPaths: [pattern] }),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('a pattern of allowed_paths', () => {
  it.each([
    ['.github/workflows/**', false],
    ['.github/workflows/', false],
    ['.github/workflows', true],
    ['./.github/workflows/*.{yml,yaml}', false],
    ['.git/**', false],
    ['.git/config', false],
    ['_handoff/**', false],
    ['_handoff/TODO.md', false],
    ['.andon/config.yaml', false],
    ['packages/*/.claude/**', false],
    ['**/.env', false],
  ])('%s opens nothing', (pattern, isFolder) => {
    expect(matchesOnlyProtected(pattern, isFolder)).toBe(true);
  });

  it.each([
    ['.github/workflows/ci.yml', false],
    ['package-lock.json', false],
    ['docs/AGENTS.md', false],
    ['.github/**', true],
    ['.github/', true],
    ['.git*/**', false],
    ['.env.*', false],
    ['**', false],
    ['docs/', true],
    ['src/**/*.ts', false],
    ['packages/_handoff/**', false],
  ])('%s opens something', (pattern, isFolder) => {
    expect(matchesOnlyProtected(pattern, isFolder)).toBe(false);
  });
});
