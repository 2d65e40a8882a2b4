/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';

describe("the project's conventions", () => {
  test('reach the implementer from the file nearest to the scope, and the story names them', async () => {
    const factory = await aFactory({
      files: {
        'AGENTS.md': 'Use tabs.\n',
        'docs/AGENTS.md': 'Write British English.\n',
        'src/AGENTS.md': 'Not here.\n',
      },
    });
    const { status } = await factory.run(aContract());
    expect(status).toBe('merged');
    const [call] = factory.calls('implementer');
    expect(call?.prompt).toContain('# AGENTS.md\nUse tabs.');
    expect(call?.prompt).toContain('# docs/AGENTS.md\nWrite British English.');
    expect(call?.prompt).not.toContain('Not here.');
    expect((await factory.andon('show', 'DOC-001')).stdout).toContain('conventions: AGENTS.md, docs/AGENTS.md');
  });

  test('are those that the configuration names', async () => {
    const factory = await aFactory({
      files: { 'AGENTS.md': 'Use tabs.\n', 'CONTRIBUTING.md': 'Sign your work.\n' },
      projectConfig: { conventions: ['CONTRIBUTING.md'] },
    });
    await factory.run(aContract());
    const prompt = factory.calls('implementer').at(0)?.prompt ?? '';
    expect(prompt).toContain('Sign your work.');
    expect(prompt).not.toContain('Use tabs.');
  });
});
