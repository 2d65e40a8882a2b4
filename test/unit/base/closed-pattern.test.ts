import { describe, expect, it } from 'vitest';
import { matchesOnlyProtected } from '../../../src/base/closed-pattern.ts';

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
