import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderConfigPage, readPageValues } from '../../../../src/project/config/config-page.ts';
import { readSettings } from '../../../../src/project/config/read-settings.ts';

describe('the page of configuration', () => {
  it('has only the keys that are set, each with a comment and the page of the documentation', () => {
    const rows = renderConfigPage({ target: 'develop', setup: ['npm ci'] }).split('\n');
    expect(rows.filter((row) => row !== '' && !row.startsWith('#'))).toEqual([
      'target: develop',
      'setup:',
      '  - npm ci',
    ]);
    expect(rows.filter((row) => row.startsWith('#'))).toHaveLength(3);
    expect(rows.filter((row) => row.startsWith('#') && !row.includes('docs/configuration.md#'))).toEqual([]);
  });

  it('changes nothing where nothing is set', () => {
    const user = { name: 'user', text: undefined };
    const page = { name: 'page', text: renderConfigPage({}) };
    expect(readSettings(page, user, '/')).toEqual(readSettings({ name: 'page', text: undefined }, user, '/'));
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
    expect(parse(page)).toEqual(values);
  });
});
