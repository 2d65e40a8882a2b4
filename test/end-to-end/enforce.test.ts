import { describe, expect, test } from 'vitest';
import { aFactory } from '../support/factory.ts';

const CONFIG = `# what this repository decides\ntarget: main # the branch\n\nenforcement:\n  mode: advisory # for now\n  # the least score\n  score_threshold: 60\ngates:\n- name: test\n  run: npm test\n`;

describe('andon rules enforce', () => {
  test('shows what holds when nobody says anything', async () => {
    const factory = await aFactory();
    expect(JSON.parse((await factory.andon('enforce', '--json')).stdout)).toMatchObject({
      mode: 'advisory',
      scoreThreshold: 70,
      autoPromote: true,
    });
    expect((await factory.andon('enforce')).stdout).toContain('advisory: violations are only reported');
    expect(factory.has('.andon/config.yaml')).toBe(false);
  });

  test('writes into the configuration, and leaves comments, order and other keys alone', async () => {
    const factory = await aFactory({ files: { '.andon/config.yaml': CONFIG } });
    expect(await factory.andon('enforce', '--mode', 'strict')).toMatchObject({ code: 0 });
    expect(factory.read('.andon/config.yaml')).toBe(CONFIG.replace('mode: advisory', 'mode: strict'));
    await factory.andon('enforce', '--threshold', '85');
    expect(JSON.parse((await factory.andon('enforce', '--json')).stdout)).toMatchObject({
      mode: 'strict',
      scoreThreshold: 85,
    });
  });

  test('writes a first configuration, and below a page on which everything is commented out', async () => {
    const factory = await aFactory();
    await factory.andon('enforce', '--mode', 'moderate', '--threshold', '75');
    expect(factory.read('.andon/config.yaml')).toBe('enforcement:\n  mode: moderate\n  score_threshold: 75\n');
    factory.write('.andon/config.yaml', '# nothing here\n#target: main\n');
    await factory.andon('enforce', '--mode', 'strict');
    expect(factory.read('.andon/config.yaml')).toBe('# nothing here\n#target: main\nenforcement:\n  mode: strict\n');
  });

  test('writes into .rulebound/config.json where only that is there', async () => {
    const factory = await aFactory({
      files: { '.rulebound/config.json': '{\n    "llm": { "provider": "openai" }\n}\n' },
    });
    expect((await factory.andon('enforce', '--threshold', '80')).stdout).toContain('.rulebound/config.json');
    expect(JSON.parse(factory.read('.rulebound/config.json'))).toEqual({
      llm: { provider: 'openai' },
      enforcement: { scoreThreshold: 80 },
    });
    expect(factory.has('.andon/config.yaml')).toBe(false);
    expect(JSON.parse((await factory.andon('enforce', '--json')).stdout)).toMatchObject({ scoreThreshold: 80 });
  });

  test.each([
    ['--mode', 'hard'],
    ['--mode', ''],
    ['--threshold', '101'],
    ['--threshold', '-1'],
    ['--threshold', 'high'],
    ['--threshold', ''],
  ])('%s %j ends with 2 and changes nothing', { tags: 'thorough' }, async (option, value) => {
    const factory = await aFactory({ files: { '.andon/config.yaml': CONFIG } });
    expect((await factory.andon('enforce', `${option}=${value}`)).code).toBe(2);
    expect((await factory.andon('enforce', '--mode', 'strict', `${option}=${value}`)).code).toBe(2);
    expect(factory.read('.andon/config.yaml')).toBe(CONFIG);
  });

  test('changes no configuration that cannot be read', async () => {
    const broken = 'enforcement: [\n';
    const factory = await aFactory({ files: { '.andon/config.yaml': broken } });
    expect((await factory.andon('enforce', '--mode', 'strict')).code).toBe(2);
    expect(factory.read('.andon/config.yaml')).toBe(broken);
  });
});
