import { describe, expect, it, test } from 'vitest';
import type { z } from 'zod';
import { getSchemaAt } from '../../../src/base/schema-faults.ts';
import { CONTRACT_FIELDS, isAtField, type FieldValues } from '../../../src/contract/contract-fields.ts';
import { CONTRACT_OPTIONS } from '../../../src/surfaces/cli/contract-options.ts';
import { contractV1 } from '../../../src/contract/task-contract-shape.ts';

/** A good value of each kind, as a contract writes it. */
const GOOD: Readonly<Record<keyof FieldValues, unknown>> = {
  text: 'A-1',
  texts: ['A-1'],
  path: 'docs/a.md',
  paths: ['docs/'],
  number: 1,
  boolean: true,
  complexity: 'minor',
  gates: [{ name: 'test', run: 'npm test' }],
};
const OWN: Readonly<Record<string, unknown>> = {
  source_files: [{ path: 'docs/a.md', hash: '' }],
  not_before: '2026-01-31T07:00:00+01:00',
};

describe('the table of the fields of a contract', () => {
  it.each(CONTRACT_FIELDS.filter(({ key }) => key !== 'notes'))(
    'agrees with the schema that checks contracts: $key',
    ({ key, path, kind, default: usual }) => {
      const schema: z.ZodType | undefined = getSchemaAt(contractV1(), path.split('.'));
      expect(schema?.safeParse(OWN[key] ?? GOOD[kind])).toMatchObject({ success: true });
      if (usual !== undefined) expect(schema?.safeParse(usual)).toMatchObject({ success: true });
    },
  );

  it('gives every name of a spec to one field', () => {
    const names = CONTRACT_FIELDS.flatMap(({ key, aliases }) => [key, ...(aliases?.split(' ') ?? [])]);
    expect(names).toEqual([...new Set(names)]);
  });

  it('has short help texts', () => {
    const help = CONTRACT_OPTIONS.map(([, text]) => text);
    expect(help.length).toBeGreaterThan(30);
    expect(help.filter((text) => text.replace(/\. Default: [\d.]+$/, '').length > 60 || text.includes('; '))).toEqual(
      [],
    );
  });

  test.each([
    ['$.limits.budget.usd', 'budget_usd', true],
    ['$.gates[0].run', 'gates', true],
    ['$.roles.judge[1]', 'judge', true],
    ['$.gatesx', 'gates', false],
    ['$', 'title', false],
  ] as const)('the fault %s lies at %s: %s', (path, key, is) => {
    expect(isAtField(path, key)).toBe(is);
  });
});
