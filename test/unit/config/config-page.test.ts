import { describe, expect, it } from 'vitest';
import { configJsonSchemas } from '../../../src/config/config-schema.ts';
import { renderConfigPage, readPageValues } from '../../../src/config/config-page.ts';
import { readSettings } from '../../../src/config/read-settings.ts';
import type { Settings } from '../../../src/config/config.ts';

const settingsOf = (text: string | undefined): Settings => {
  const read = readSettings({ name: 'page', text }, { name: 'user', text: undefined }, '/');
  if (!read.ok) throw new Error(read.why.join('\n'));
  return read.value;
};

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
}

const listUndescribed = (node: Node, path: readonly string[] = []): readonly string[] =>
  Object.entries(node.properties ?? {}).flatMap(([key, inner]) => [
    ...(inner.description ? [] : [[...path, key].join('.')]),
    ...listUndescribed(inner, [...path, key]),
    ...listUndescribed(inner.items ?? {}, [...path, key]),
  ]);

describe('the page of configuration', () => {
  it('can say one line about each key: the schema describes all of them', () => {
    expect(listUndescribed(configJsonSchemas().project)).toEqual([]);
  });

  it('sets nothing as long as nothing differs from the defaults', () => {
    expect(settingsOf(renderConfigPage({}))).toEqual(settingsOf(undefined));
    expect(renderConfigPage({}).split('\n').length).toBeLessThan(5);
  });

  it('has one comment for each key that is set', () => {
    expect(renderConfigPage({ share: ['node_modules'], gates: [{ name: 'test', run: 'npm test' }] })).toBe(
      `${renderConfigPage({})}
# Folders shown read-only in the task's tree, such as node_modules.
share:
  - node_modules

# Run on every change; a red one goes back to the implementer.
gates:
  - name: test
    run: npm test
`,
    );
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
  ])('keeps the values %j through writing and reading', (values) => {
    const page = renderConfigPage(values);
    expect(readPageValues(page)).toEqual(values);
    expect(renderConfigPage(readPageValues(page))).toBe(page);
  });
});
