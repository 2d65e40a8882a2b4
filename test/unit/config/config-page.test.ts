import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DEFAULT_CAGE_LIMITS, computeLimits } from '../../../src/config/cage-limits.ts';
import { configJsonSchemas } from '../../../src/config/config-schema.ts';
import { renderConfigPage, listPageGaps, readPageValues } from '../../../src/config/config-page.ts';
import { readSettings } from '../../../src/config/read-settings.ts';
import type { Settings } from '../../../src/config/config.ts';

const settingsOf = (text: string | undefined): Settings => {
  const read = readSettings({ name: 'page', text }, { name: 'user', text: undefined }, '/');
  if (!read.ok) throw new Error(read.why.join('\n'));
  return read.value;
};
/** Takes the `#` away wherever the page says that one may. */
const uncommented = (page: string): string => page.replace(/^#(?! \S)/gm, '');

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
}
const keysOf = (node: Node, path: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(node.properties ?? {}).flatMap(([key, inner]) => [
    [...path, key],
    ...keysOf(inner, [...path, key]),
    ...keysOf(inner.items ?? {}, [...path, key]),
  ]);

describe('the page of configuration', () => {
  it('has nothing to hide: every key of the schema has a description and a default or an example', () => {
    // A new key: describe it and say `Default: …` in its description, or add it to DEFAULTS or EXAMPLES of the page.
    expect(listPageGaps()).toEqual([]);
  });

  it('shows every key that the schema knows, at its place', () => {
    const shown = parse(uncommented(renderConfigPage({}))) as Record<string, unknown>;
    const paths = keysOf(configJsonSchemas().project);
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const value = path.reduce<unknown>((at, key) => (Array.isArray(at) ? at[0] : at)?.[key as never], shown);
      expect(value, path.join('.')).toBeDefined();
    }
  });

  it('sets nothing as long as everything is commented out', () => {
    expect(settingsOf(renderConfigPage({}))).toEqual(settingsOf(undefined));
  });

  it('shows as defaults what really are the defaults: without the comment marks nothing else is decided', () => {
    const examples = { target: 'main', setup: ['npm ci'], share: ['node_modules'] };
    const gates = [{ name: 'test', run: 'npm test', timeoutMinutes: 10, mustFailBefore: false, results: 'junit.xml' }];
    const cage = { ...settingsOf(undefined).cage, limits: { user: {}, project: DEFAULT_CAGE_LIMITS } };
    const protectedPaths = { more: ['infrastructure/'], less: [] };
    const pipeline = { ...settingsOf(undefined).pipeline, llmJudgeModels: ['claude-haiku-4-5'] };
    const history = {
      ...settingsOf(undefined).history,
      author: 'Jo Example <jo@example.org>',
      committer: 'user',
      template: '{type}({scope}): {title}',
      scope: 'docs',
    };
    expect(settingsOf(uncommented(renderConfigPage({})))).toEqual({
      ...settingsOf(undefined),
      ...examples,
      history,
      gates,
      cage,
      protectedPaths,
      pipeline,
      roles: { ...settingsOf(undefined).roles, floorManager: 'gemini' },
    });
    expect(computeLimits(9999, {}, DEFAULT_CAGE_LIMITS)).toEqual(computeLimits(9999, {}, {}));
  });

  it.each([
    [
      {
        gates: [
          { name: 'a: b', run: 'echo \'#\' "x"' },
          { name: 'no', run: 'true', timeout_minutes: 3 },
        ],
      },
    ],
    [{ target: 'on', setup: ['# not a comment', '- x', 'a: b'], share: ['0x10'] }],
    [{ roles: { implementer: 'llama3' }, local_review: { on_critical: 'fix' }, judge: 'external' }],
    [{ roles: { implementer: ['small', 'large'] } }],
    [{ gates: [], setup: [] }],
  ])('keeps the values %j through writing, reading and taking the marks away', (values) => {
    const page = renderConfigPage(values);
    expect(readPageValues(page)).toEqual(values);
    expect(renderConfigPage(readPageValues(page))).toBe(page);
    expect(parse(uncommented(page))).toMatchObject({ ...values, gates: expect.any(Array) as unknown });
  });
});
