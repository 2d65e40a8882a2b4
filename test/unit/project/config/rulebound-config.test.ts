import { describe, expect, it } from 'vitest';
import { readRuleboundConfig } from '../../../../src/project/config/rulebound-config.ts';

const NAME = '.rulebound/config.json';
const read = (text: string | undefined) => readRuleboundConfig({ name: NAME, text });

describe('the configuration of rulebound', () => {
  it('says what andon needs, whatever else stands in it', () => {
    expect(
      read(
        JSON.stringify({
          project: { name: 'shop', stack: ['Go', 'SQL'] },
          extends: 'go',
          rulesDir: './house-rules/',
          enforcement: { mode: 'strict' },
          llm: { provider: 'openai', model: 'm' },
          telemetry: false,
        }),
      ),
    ).toEqual({
      stack: ['go', 'sql'],
      extends: ['go'],
      rulesDir: 'house-rules',
      enforcement: { mode: 'strict', score_threshold: undefined, auto_promote: undefined },
      llm: { provider: 'openai', model: 'm' },
      faults: [],
    });
  });

  it('says nothing where there is none', () => {
    expect(read(undefined)).toEqual(read('{}'));
  });

  it.each([
    ['a stack that is no list', '{\n"extends": ["go"],\n"project": { "stack": "go" }\n}', 3, '$.project.stack'],
    ['a list of packs that is none', '{\n"extends": 5\n}', 2, '$.extends'],
    ['rules outside the project', '{\n"rulesDir": "../rules"\n}', 2, '$.rulesDir'],
    ['a provider that nobody knows', '{\n"llm": { "provider": "acme" }\n}', 2, '$.llm.provider'],
    ['a mistyped key of enforcement', '{\n"enforcement": { "mod": "strict" }\n}', 2, '$.enforcement'],
    ['no JSON', '{bad', 1, '$'],
  ])('with %s is a fault at its place, and never a rulebook without those rules', (_, text, line, path) => {
    expect(read(text)).toMatchObject({ extends: [], faults: [{ source: { name: NAME, line }, path }] });
  });
});
