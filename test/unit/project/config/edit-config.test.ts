import { describe, expect, it } from 'vitest';
import { withModel } from '../../../../src/project/config/edit-config.ts';

const ROOT = '/home/you/shop';
const NAMES = { root: ROOT, model: 'qwen2.5-coder', standing: 'andon-qwen2.5-coder-32k' };
const edited = (text: string): string => {
  const result = withModel(text, NAMES);
  return result.ok ? result.value.text : `refused: ${result.why}`;
};

describe('a model put in the place of another one, in the configuration of a user', () => {
  it('makes the file when there is none', () => {
    expect(edited('')).toBe('agents:\n  ollama:\n    models:\n      qwen2.5-coder: andon-qwen2.5-coder-32k\n');
  });

  it.each([
    ['# mine\n', '# mine\n'],
    ['# mine\ncage: none # for now\n\nagents:\n  # the judge\n  claude: { model: sonnet }\n', '# the judge'],
    ['agents:\n', 'agents:\n  ollama:'],
    ['agents:\n  ollama:\n    models: # none yet\n', '# none yet'],
    ['agents:\n  ollama:\n    args:\n    - --x\n    - --y\n', '    args:\n    - --x\n    - --y\n'],
    [
      "agents:\n  ollama:\n    env:\n      A: 'a very long text that goes on and on behind the eightieth column of the line, yes'\n",
      "column of the line, yes'\n",
    ],
  ])('keeps everything else, comments too: %j', (text, kept) => {
    expect(edited(text)).toContain(kept);
    expect(edited(text)).toMatch(/^ +qwen2\.5-coder: andon-qwen2\.5-coder-32k$/m);
  });

  it('replaces an older one', () => {
    const text = edited('agents: { ollama: { models: { qwen2.5-coder: older, deepseek-r1: other } } }\n');
    expect(text).toBe(
      'agents: { ollama: { models: { qwen2.5-coder: andon-qwen2.5-coder-32k, deepseek-r1: other } } }\n',
    );
  });

  it('writes into the section of the project, when that one decides about ollama', () => {
    const text = `agents:\n  ollama: {}\nprojects:\n  ${ROOT}:\n    agents:\n      ollama:\n        program: /opt/ollama\n`;
    expect(withModel(text, NAMES)).toMatchObject({
      ok: true,
      value: { key: `projects.${ROOT}.agents.ollama.models.qwen2.5-coder` },
    });
    expect(edited(text)).toContain('        models:\n          qwen2.5-coder: andon-qwen2.5-coder-32k\n');
  });

  it.each(['agents: [1]\n', 'agents: text\n', 'a: &x {}\nagents: *x\n', 'a: [\n'])(
    'does not guess where it cannot: %j',
    (text) => {
      expect(withModel(text, NAMES).ok).toBe(false);
    },
  );
});
