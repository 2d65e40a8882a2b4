import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { getSchemaAt } from '../../../../src/base/schema-faults.ts';
import { CONTRACT_FIELDS, isAtField, type FieldValues } from '../../../../src/project/contract/contract-fields.ts';
import { CONTRACT_OPTIONS } from '../../../../src/app/cli/contract-options.ts';
import { contractV1 } from '../../../../src/project/contract/task-contract-shape.ts';

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

/** Older spellings, and what andon writes itself. */
const WITHOUT_A_FLAG = {
  specification: [],
  constraints: ['delete_allowed', 'allowed_operations', 'max_diff_lines'],
  limits: ['token_budget', 'cost_ceiling_usd'],
  roles: [],
  git: ['repo_root', 'task_branch', 'base_commit'],
  holdout: [],
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

  it.each(Object.entries(WITHOUT_A_FLAG))('has a row for every key of %s but these: %s', (section, without) => {
    const schema = getSchemaAt(contractV1(), [section]);
    const { shape } = (schema instanceof z.ZodOptional ? schema.unwrap() : schema) as z.ZodObject;
    const rows = CONTRACT_FIELDS.map(({ path }) => path);
    const missing = Object.keys(shape).filter(
      (key) => !rows.some((path) => `${path}.`.startsWith(`${section}.${key}.`)),
    );
    expect(missing).toEqual(without);
  });

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
