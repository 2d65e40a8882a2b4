import * as fc from '../../../support/properties.ts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJson } from '../../../../src/base/read-json.ts';
import { nameOnPage, refusalsOn, renderRefusals } from '../../../../src/project/contract/refusal.ts';
import {
  contractJsonSchema,
  parseContract,
  type Fault,
  type ParsedContract,
} from '../../../../src/project/contract/task-contract-schema.ts';
import { withRoles } from '../../../../src/project/contract/task-contract.ts';
import { expectEffortBelow } from '../../../support/effort.ts';
import { anyCharacter } from '../../../support/any-character.ts';

type Json = Record<string, unknown>;

const exampleNames = ['doc-001-auth-merge', 'minimal', 'schema-2'];

const versionOne: Json = {
  schema_version: '1.0',
  task_id: 'DOC-7-MERGE',
  project: 'Docs',
  status: 'pending_implementer',
  status_reason: 'new',
  timestamps: { created_at: '2026-01-16T12:00:00Z', updated_at: '2026-01-16T12:00:00Z' },
  roles: { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli' },
  limits: { max_rebuttals: 2, max_review_cycles: 5, timeout_minutes: 10 },
  constraints: { allowed_paths: ['docs/'], forbidden_paths: ['.env'], allow_deletes: false, max_diff_size: 200 },
  specification: {
    source_files: [{ path: 'docs/a.md', hash: '' }],
    target_file: 'docs/c.md',
    requirements: ['Keep both tables'],
  },
  handoff_data: {
    implementer_notes: '',
    changed_files: [],
    judge_report_path: '_handoff/JUDGE_REPORT.md',
    judge_report_json: '_handoff/JUDGE_REPORT.json',
    rebuttal_path: '_handoff/REBUTTAL.md',
  },
  breaker: { status: 'armed', rebuttal_count: 0, max_delete_ratio: 0.05 },
  history: [],
};

const versionTwo: Json = {
  ...versionOne,
  schema_version: '2.0',
  complexity: 'minor',
  last_transition_id: 'tr-001',
  attempt: 1,
  timestamps: { ...(versionOne['timestamps'] as Json), deadline_at: '2026-01-16T14:00:00Z' },
  git: { repo_root: '.', base_branch: 'main', task_branch: 'task/DOC-7-MERGE', base_commit: '' },
  limits: {
    max_rebuttals: 2,
    max_review_cycles: 5,
    timeout_minutes: { implementer: 10, local_review: 15, judge: 15 },
    token_budget: 50_000,
    cost_ceiling_usd: 0.5,
  },
  constraints: {
    allowed_paths: ['docs/'],
    forbidden_paths: ['.env'],
    allowed_operations: ['edit', 'create'],
    delete_allowed: false,
    max_diff_lines: 200,
  },
  specification: {
    source_files: [{ path: 'docs/a.md', sha256: '' }],
    target_file: 'docs/c.md',
    requirements: ['Keep both tables'],
    acceptance_criteria: ['Links resolve'],
  },
  handoff_data: {
    ...(versionOne['handoff_data'] as Json),
    diff_summary: '',
    local_review_passed: null,
    local_review_issues: [],
  },
  lock: { held_by: null, acquired_at: null, expires_at: null },
  breaker: {
    status: 'armed',
    triggered_by: null,
    trigger_reason: null,
    rebuttal_count: 0,
    review_cycle_count: 0,
    tokens_used: 0,
    cost_usd: 0,
  },
};

/** The contract with one thing changed: a dotted path and its new value; undefined takes it away. */
function changed(base: Json, path: string, value: unknown): string {
  const document = structuredClone(base);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let here: Json = document;
  for (const step of steps) here = (here[step] ??= {}) as Json;
  here[last] = value;
  return JSON.stringify(document, null, 2);
}

function accepted(text: string): ParsedContract {
  const parsed = parseContract(text);
  if (!parsed.ok) throw new Error(`refused: ${JSON.stringify(parsed.why)}`);
  return parsed.value;
}

function faults(text: string): readonly Fault[] {
  const parsed = parseContract(text);
  if (parsed.ok) throw new Error('accepted');
  return parsed.why;
}

const page = (text: string): string =>
  renderRefusals([
    { fileName: 'TASK_CONTRACT.json', digest: 'a'.repeat(64), at: '2026-01-16T12:00:00Z', faults: faults(text) },
  ]);
const fences = (text: string): number => text.split('\n').filter((line) => line.startsWith('```')).length;
const faultPaths = (text: string): string[] => faults(text).map(({ path }) => path);
const one = (path: string, value: unknown): string => changed(versionOne, path, value);
const two = (path: string, value: unknown): string => changed(versionTwo, path, value);

describe('a contract is accepted', () => {
  it.each(exampleNames)('as in the example %s', (name) => {
    expect(accepted(readFileSync(`contracts/examples/${name}.json`, 'utf8')).notices).toStrictEqual([]);
  });

  it('as the design document shows it, in every field', () => {
    const { contract } = accepted(readFileSync('contracts/examples/doc-001-auth-merge.json', 'utf8'));
    expect(contract).toStrictEqual({
      schemaVersion: '1.0',
      taskId: 'DOC-001-AUTH-MERGE',
      project: 'Project-A',
      priority: 0,
      complexity: undefined,
      roles: {
        implementers: ['qwen2.5-coder'],
        localReviewer: 'deepseek-r1',
        judge: 'claude-code-cli',
        floorManager: undefined,
      },
      limits: {
        maxRebuttals: 2,
        maxReviewCycles: 5,
        maxStalls: 0,
        timeoutMinutes: { implementer: 10, localReview: 10, judge: 10 },
        budget: { usd: undefined, tokens: undefined, minutes: undefined },
      },
      constraints: {
        allowedPaths: ['Project-A/docs/'],
        forbiddenPaths: ['.env', 'AGENTS.md'],
        allowDeletes: false,
        maxDiffSize: 200,
        maxFiles: 100,
        maxDeleteRatio: 0.05,
      },
      specification: {
        sourceFiles: [
          { path: 'auth_v1.md', sha256: undefined },
          { path: 'auth_v2.md', sha256: undefined },
        ],
        targetFile: 'auth_final.md',
        requirements: ['Merge core logic', 'Standardize heading hierarchy (H1 -> H2 -> H3)', 'Maintain internal links'],
        acceptanceCriteria: [],
      },
      gates: [],
      holdout: { gates: [], criteria: [] },
      targetBranch: undefined,
    });
  });

  it('without a role, or without any: they are those of the configuration', () => {
    const standard = {
      implementers: ['mine'],
      localReviewer: 'other',
      judge: 'claude-code-cli',
      judges: ['claude-code-cli', 'strict'],
    };
    const roles = (text: string): unknown => withRoles(accepted(text).contract, standard).roles;
    expect(roles(one('roles', { local_reviewer: 'deepseek-r1' }))).toMatchObject({
      implementers: ['mine'],
      localReviewer: 'deepseek-r1',
      judge: 'claude-code-cli',
    });
    const { roles: _, ...without } = versionOne as Record<string, unknown>;
    expect(roles(JSON.stringify(without))).toMatchObject(standard);
    expect(roles(one('roles', { judge: 'mine' }))).toMatchObject({ judge: 'mine', localReviewer: 'other' });
    expect(roles(one('roles', { judge: 'mine' }))).not.toHaveProperty('judges');
  });

  it.each([
    ['1.0', versionOne],
    ['2.0', versionTwo],
  ])('of schema %s with one implementer, or with a list of them, which stays as it was written', (_version, base) => {
    const named = accepted(changed(base, 'roles.implementer', 'small'));
    expect(named.contract.roles.implementers).toStrictEqual(['small']);
    expect(named.document['roles']).toMatchObject({ implementer: 'small' });
    const listed = accepted(changed(base, 'roles.implementer', ['small', ' large ']));
    expect(listed.contract.roles.implementers).toStrictEqual(['small', 'large']);
    expect(listed.document['roles']).toMatchObject({ implementer: ['small', ' large '] });
  });

  it('in schema 2.0, with a time limit for each station', () => {
    const { contract, notices } = accepted(JSON.stringify(versionTwo));
    expect(contract.limits.timeoutMinutes).toStrictEqual({ implementer: 10, localReview: 15, judge: 15 });
    expect(contract.limits.budget).toStrictEqual({ usd: 0.5, tokens: 50_000, minutes: undefined });
    expect(contract.targetBranch).toBe('main');
    expect(notices).toStrictEqual([]);
  });

  it('with the spellings of the other version', () => {
    expect(accepted(one('limits.timeout_minutes', { judge: 3 })).contract.limits.timeoutMinutes.judge).toBe(3);
    expect(accepted(two('limits.timeout_minutes', 4)).contract.limits.timeoutMinutes.localReview).toBe(4);
    const constraints = { allowed_paths: ['docs/'], delete_allowed: true, max_diff_lines: 7 };
    expect(accepted(one('constraints', constraints)).contract.constraints).toMatchObject({
      allowDeletes: true,
      maxDiffSize: 7,
    });
  });

  it('with a byte order mark and Windows line ends', () => {
    accepted(`\uFEFF${JSON.stringify(versionOne, null, 2).replaceAll('\n', '\r\n')}`);
  });

  it.each(['$schema', 'metadata', 'x-team'])('with a %s of the user', (key) => {
    expect(accepted(one(key, 'anything')).document[key]).toBe('anything');
  });

  it("with the user's own x-keys in any section", () => {
    accepted(one('limits.x-note', { max: [1] }));
    accepted(one('specification.source_files', [{ path: 'docs/a.md', 'x-note': 1 }]));
  });

  it('without any field that andon writes', () => {
    const written = ['status', 'status_reason', 'timestamps', 'history', 'handoff_data', 'breaker', 'limits'];
    accepted(JSON.stringify(Object.fromEntries(Object.entries(versionOne).filter(([key]) => !written.includes(key)))));
  });

  it('with one digest in the spellings of both versions', () => {
    const both = { path: 'docs/a.md', hash: `sha256-${'aB'.repeat(32)}`, sha256: 'ab'.repeat(32) };
    const specification = { ...(versionOne['specification'] as Json), source_files: [both] };
    expect(parseContract(JSON.stringify({ ...versionOne, specification })).ok).toBe(true);
    const other = { ...specification, source_files: [{ ...both, sha256: 'cd'.repeat(32) }] };
    expect(parseContract(JSON.stringify({ ...versionOne, specification: other })).ok).toBe(false);
  });

  it.each([['sha256-' + 'aB'.repeat(32)], ['aB'.repeat(32)]])('with the digest %s', (hash) => {
    const { contract } = accepted(one('specification.source_files', [{ path: 'docs/a.md', hash }]));
    expect(contract.specification.sourceFiles[0]?.sha256).toBe('ab'.repeat(32));
  });
});

describe('limits that a contract does not name', () => {
  it.each([
    ['trivial', 1, 2, 0.25],
    ['minor', 2, 5, 0.5],
    ['major', 4, 8, 2],
    ['critical', 6, 10, 5],
    [undefined, 2, 5, undefined],
  ])('follow from the complexity %s', (complexity, rebuttals, cycles, usd) => {
    const document = { ...versionOne, complexity, limits: undefined };
    const { limits } = accepted(JSON.stringify(document)).contract;
    expect([limits.maxRebuttals, limits.maxReviewCycles, limits.budget.usd]).toStrictEqual([rebuttals, cycles, usd]);
  });

  it('halt at the first stall in 1.0 and at the second in 2.0', () => {
    expect(accepted(JSON.stringify(versionOne)).contract.limits.maxStalls).toBe(0);
    expect(accepted(JSON.stringify(versionTwo)).contract.limits.maxStalls).toBe(1);
  });

  it('give way to the ones it names, and of two ceilings the lowest wins', () => {
    const { budget } = accepted(two('limits', { token_budget: 9, cost_ceiling_usd: 9, budget: { usd: 7, tokens: 10 } }))
      .contract.limits;
    expect(budget).toStrictEqual({ usd: 7, tokens: 9, minutes: undefined });
  });

  it('never allow deleting what the allowed operations leave out', () => {
    const constraints = { allowed_paths: ['docs/'], delete_allowed: true, allowed_operations: ['edit', 'create'] };
    const { contract, notices } = accepted(two('constraints', constraints));
    expect(contract.constraints.allowDeletes).toBe(false);
    expect(notices.join()).toContain('allowed_operations');
  });
});

describe('a list of implementers is refused', () => {
  const fault = (implementer: unknown): Fault | undefined => faults(one('roles.implementer', implementer))[0];
  const LIST = /^a name, or a list of 1 to 5 names, each once: /;

  it.each([
    ['that is empty', [], '$.roles.implementer', LIST],
    ['of six', ['a', 'b', 'c', 'd', 'e', 'f'], '$.roles.implementer', LIST],
    ['that is no list of names', { first: 'a' }, '$.roles.implementer', LIST],
    ['with a blank name', ['a', ' '], '$.roles.implementer[1]', /one line of text/],
    ['with a number', ['a', 7], '$.roles.implementer[1]', /one line of text/],
    ['with what reads as an option', ['a', '--b'], '$.roles.implementer[1]', /does not begin with a dash/],
    ['with a name twice', ['a', 'b', ' a'], '$.roles.implementer[2]', /names "a" before; name each once/],
  ])('%s', (_what, implementer, path, expected) => {
    const found = fault(implementer);
    expect(found?.path).toBe(path);
    expect(found?.expected).toMatch(expected);
    expect(found?.example).toMatch(/qwen2\.5-coder/);
  });
});

describe('a contract is refused', () => {
  it.each([
    ['complexity is missing in 2.0', two('complexity', undefined), '$.complexity'],
    ['the complexity is unknown', two('complexity', 'huge'), '$.complexity'],
    ['the schema version is unknown', one('schema_version', '9.9'), '$.schema_version'],
    ['the schema version is a number', one('schema_version', 1), '$.schema_version'],
    ['there are no requirements', one('specification.requirements', []), '$.specification.requirements'],
    ['a requirement is blank', one('specification.requirements', ['  ']), '$.specification.requirements[0]'],
    [
      'a requirement has only invisible characters',
      one('specification.requirements', ['\u200b \u2060\u3164']),
      '$.specification.requirements[0]',
    ],
    [
      'the name of a gate has a line break',
      one('gates', [{ name: 'tests\nAndon-Gates: all', run: 'npm test' }]),
      '$.gates[0].name',
    ],
    ['nothing may be changed', one('constraints.allowed_paths', []), '$.constraints.allowed_paths'],
    ['the target is absolute', one('specification.target_file', '/etc/cron.d/x'), '$.specification.target_file'],
    ['the target climbs out', one('specification.target_file', 'docs/../../x'), '$.specification.target_file'],
    ['the diff limit is negative', one('constraints.max_diff_size', -1), '$.constraints.max_diff_size'],
    ['the delete ratio is meant as percent', one('breaker.max_delete_ratio', 5), '$.breaker.max_delete_ratio'],
    [
      'a digest is too short',
      one('specification.source_files.0.hash', 'sha256-0000'),
      '$.specification.source_files[0].hash',
    ],
    ['a gate holds a NUL', one('gates', [{ name: 'tests', run: 'echo a\0b' }]), '$.gates[0].run'],
    ['a role is blank', one('roles.judge', ' '), '$.roles.judge'],
    ['a role reads as an option', one('roles.implementer', '--upload-pack=x'), '$.roles.implementer'],
    ['the floor manager is nearly the human', one('roles.floor_manager', 'Human'), '$.roles.floor_manager'],
    ['the floor manager is a slip of the human', one('roles.floor_manager', 'humn'), '$.roles.floor_manager'],
    ['a time limit is 0', one('limits.timeout_minutes', 0), '$.limits.timeout_minutes'],
    ['one of the time limits is negative', two('limits.timeout_minutes.judge', -1), '$.limits.timeout_minutes.judge'],
    [
      'a report would be written elsewhere',
      one('handoff_data.judge_report_json', 'docs/x.json'),
      '$.handoff_data.judge_report_json',
    ],
    ['a role holds a control character', one('roles.judge', 'a\u001b[2J'), '$.roles.judge'],
    ['the branch ends like a lock', two('git.base_branch', 'main.lock'), '$.git.base_branch'],
    ['the branch reads as an option', two('git.base_branch', '--force'), '$.git.base_branch'],
    ['two spellings disagree', one('constraints.delete_allowed', true), '$.constraints.delete_allowed'],
    ['it is a list', '[]', '$'],
    ['it is null', 'null', '$'],
  ])('when %s', (_, text, path) => {
    expect(faultPaths(text)).toStrictEqual([path]);
  });

  it('when a source file or a gate is named twice', () => {
    const source = { path: 'docs/a.md' };
    expect(faultPaths(one('specification.source_files', [source, source]))).toStrictEqual([
      '$.specification.source_files[1].path',
    ]);
    const gate = { name: 'tests', run: 'npm test' };
    const document = { ...versionOne, gates: [gate], holdout: { gates: [gate] } };
    expect(faultPaths(JSON.stringify(document))).toStrictEqual(['$.holdout.gates[0].name']);
  });

  it.each(['1e400', '-1', '"10"', '9007199254740993', 'null', '[]', 'true'])('when a limit is %s', (number) => {
    const places = [
      ...['max_rebuttals', 'max_review_cycles', 'max_stalls', 'token_budget', 'cost_ceiling_usd'].map(
        (key) => `limits.${key}`,
      ),
      'constraints.max_diff_size',
      'constraints.max_diff_lines',
      'limits.budget.usd',
      'limits.budget.tokens',
      'limits.timeout_minutes',
      'breaker.max_delete_ratio',
    ];
    for (const place of places) {
      const text = one(place, '@').replace('"@"', number);
      expect(faultPaths(text), place).toContain(`$.${place}`);
    }
  });

  it.each([
    '--upload-pack=x',
    '../x',
    '../../etc',
    '$(id)',
    '`id`',
    'a\nb',
    'x'.repeat(300),
    'HEAD',
    '@',
    'con',
    'CON',
    'nul',
    'FIX-1.lock',
    'x.lock',
    '🚀',
    '\u202eabc',
    '',
    ' ',
    'a b',
    'a/b',
    'a\\b',
    '-x',
    '.x',
    'a..b',
    'a\u0000b',
    'main',
    'é',
  ])('when its task_id is %j', (id) => {
    expect(faultPaths(one('task_id', id))).toStrictEqual(['$.task_id']);
  });

  it.each(['/etc', '../x', 'a/../b', '~/x', '', 'a\u0000b', '!x', '(a+)+$', 'C:/x'])(
    'when an allowed or forbidden path is %j',
    (path) => {
      expect(faultPaths(one('constraints.allowed_paths', ['docs/', path]))).toContain('$.constraints.allowed_paths[1]');
    },
  );

  it('quickly, when it allows 10,000 paths', () => {
    const text = one(
      'constraints.allowed_paths',
      Array.from({ length: 10_000 }, (_, at) => `docs/${at}/**/*.md`),
    );
    expectEffortBelow(50, () => {
      expect(faultPaths(text)).toContain('$.constraints.allowed_paths');
    });
  });

  it('with every fault at once, each with its line, in the order of the text', () => {
    const text = [
      '{ "schema_version": "2.0", "task_id": "T-1", "project": "P",',
      '  "roles": { "implementer": "a", "judge": "" },',
      '  "limits": { "max_rebutals": 1 },',
      '  "max_review_cycles": 3,',
      '  "constraints": { "allowed_paths": ["/etc"] },',
      '  "specification": { "requirements": [""] } }',
    ].join('\n');
    expect(faults(text).map(({ line, path }) => `${line} ${path}`)).toStrictEqual([
      '1 $.complexity',
      '2 $.roles.judge',
      '3 $.limits.max_rebutals',
      '4 $.max_review_cycles',
      '5 $.constraints.allowed_paths[0]',
      '6 $.specification.requirements[0]',
    ]);
  });

  it('with the nearest known name for a misspelt key, or the section where it belongs', () => {
    expect(faults(one('limits.max_rebutals', 1))[0]?.expected).toContain('max_rebuttals');
    expect(faults(one('max_rebuttals', 1))[0]?.expected).toContain('belongs in limits');
    expect(faults(one('gates', [{ name: 'a', run: 'b', comand: 'c' }]))[0]?.expected).toContain('must_fail_before');
  });

  it('with an example of what would be accepted', () => {
    expect(faults(one('constraints.max_diff_size', 'many'))[0]).toStrictEqual({
      path: '$.constraints.max_diff_size',
      line: 29,
      found: '"many"',
      expected: 'a whole number from 0: added + deleted lines',
      example: '200',
      kind: 'invalid',
    });
  });

  it('with the rest of the file awaited when it ends too early', () => {
    const text = JSON.stringify(versionOne);
    for (let length = 0; length < text.length; length += 1) {
      expect(faults(text.slice(0, length)).map(({ kind }) => kind)).toStrictEqual(['incomplete']);
    }
  });

  it('when a key stands twice or could reach a prototype', () => {
    expect(faults('{"task_id": "A", "task_id": "B"}')).toMatchObject([{ path: '$.task_id', kind: 'invalid' }]);
    expect(faults(JSON.stringify(versionOne).replace('{', '{"__proto__": {"priority": 9},'))).toMatchObject([
      { kind: 'invalid' },
    ]);
  });
});

describe('state that a new contract claims to have', () => {
  it.each([
    ['status', 'review_complete', '$.status'],
    ['status', 'pending_rebuttal', '$.status'],
    ['attempt', 7, '$.attempt'],
    ['history', [{ event: 'forged' }], '$.history'],
    ['breaker.status', 'tripped', '$.breaker.status'],
    ['breaker.rebuttal_count', 2, '$.breaker.rebuttal_count'],
    ['breaker.cost_usd', 0.4, '$.breaker.cost_usd'],
    ['handoff_data.local_review_passed', true, '$.handoff_data.local_review_passed'],
  ])('is ignored and noted: %s', (path, value, named) => {
    const { contract, notices } = accepted(two(path, value));
    expect(contract).toStrictEqual(accepted(JSON.stringify(versionTwo)).contract);
    expect(notices.join()).toContain(named);
  });
});

describe('the path of a paper that andon writes', () => {
  it.each(['judge_report_path', 'judge_report_json', 'rebuttal_path'])(
    'is ignored and noted when a contract names another one: %s',
    (key) => {
      const { notices } = accepted(two(`handoff_data.${key}`, '_handoff/reports/mine.md'));
      expect(notices).toEqual([
        expect.stringContaining(`$.handoff_data.${key} is ignored: the file is always _handoff/`),
      ]);
    },
  );
});

describe('a status', () => {
  it.each(['half_done', 'judge_pass', 'Merged', ''])('that no line has (%j) is refused', (status) => {
    const read = parseContract(two('status', status));
    expect(read.ok ? [] : read.why).toMatchObject([
      { path: '$.status', expected: expect.stringContaining('left out') },
    ]);
  });
});

describe('the folder of the repository itself', () => {
  it.each(['.', './'])('(%s) among the allowed paths means all of it', (all) => {
    expect(accepted(two('constraints.allowed_paths', [all])).contract.constraints.allowedPaths).toEqual(['**']);
  });
});

describe('the JSON Schema', () => {
  const schema = contractJsonSchema() as Json;

  it('has a title and both versions, and nothing that needs resolving', () => {
    expect(schema['title']).toBe('Task contract');
    expect(schema['anyOf']).toHaveLength(2);
    expect(JSON.stringify(schema)).not.toMatch(/"\$(?:ref|id|defs)"/);
  });

  it('accepts the examples, and refuses what the parser refuses', () => {
    const read = z.fromJSONSchema(JSON.parse(JSON.stringify(schema)) as z.core.JSONSchema.JSONSchema);
    for (const name of exampleNames) {
      const example = JSON.parse(readFileSync(`contracts/examples/${name}.json`, 'utf8')) as Json;
      expect(read.safeParse(example).error, name).toBeUndefined();
      for (const wrong of [{ schema_version: '9.9' }, { task_id: '../x' }, { gates: [{ name: 'a' }] }, { roles: [] }]) {
        expect(read.safeParse({ ...example, ...wrong }).success).toBe(false);
      }
    }
  });

  it('uses only patterns that mean the same to every reader of JSON Schema', () => {
    expect(JSON.stringify(schema)).not.toMatch(/"pattern":"[^"]*(?:\\\\p|\(\?[<!=])/);
  });

  it('requires what the parser requires', () => {
    const [first, second] = schema['anyOf'] as Json[];
    expect(second?.['required']).toStrictEqual([
      'schema_version',
      'complexity',
      'task_id',
      'project',
      'constraints',
      'specification',
    ]);
    expect(first?.['required']).not.toContain('complexity');
    expect(first).toMatchObject({ additionalProperties: false, patternProperties: { '^x-': {} } });
  });
});

describe('the refusal', () => {
  it('names every fault and says what to do', () => {
    const text = page(one('constraints.max_diff_size', -1));
    for (const part of ['TASK_CONTRACT.json', 'Line 29', '$.constraints.max_diff_size', '-1', 'example:  200'])
      expect(text).toContain(part);
    expect(text.trimEnd().endsWith('Correct the file and save it; andon reads it again by itself.')).toBe(true);
  });

  it('lets nothing in the contract become Markdown, HTML or a terminal command', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('<b>&lt;', '\n```\n# x', '\u001b[2J', '\u202e')),
        (evil) => {
          const text = page(JSON.stringify({ ...versionOne, [`k${evil}`]: 1, priority: evil, task_id: `../${evil}` }));
          expect(text).not.toMatch(/[<>&]|(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
          expect(fences(text)).toBe(8);
        },
      ),
    );
  });

  it('never fails, whatever JSON it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        if (readJson(text).ok) expect(page(text)).toContain('## 1.');
      }),
    );
  });
});

describe('a page of refusals', () => {
  const refusal = (fileName: string, text: string) => ({
    fileName,
    digest: 'b'.repeat(64),
    at: '2026-01-16T12:00:00Z',
    faults: faults(text),
  });

  it('holds every refused contract, and can be read back', () => {
    const bad = refusal('queue/<b>.json', one('limits.max_rebuttals', -1));
    const text = renderRefusals([bad, refusal('TASK_CONTRACT.json', '{]')]);
    expect(text).toContain('# 2 contracts rejected');
    expect(refusalsOn(text)).toMatchObject([
      { name: nameOnPage('queue/<b>.json'), faults: 1, digest: 'b'.repeat(64) },
      { name: 'TASK_CONTRACT.json', faults: 1 },
    ]);
    expect(refusalsOn(text)[0]?.first).toContain('$.limits.max_rebuttals (expected ');
  });

  it('that somebody else wrote says nothing', () => {
    expect(refusalsOn('# Contract rejected\n\nnothing to see')).toEqual([]);
  });
});

describe('what a contract says of its turn', () => {
  const read = (more: Json): ReturnType<typeof parseContract> =>
    parseContract(JSON.stringify({ ...versionOne, ...more }));
  const contractOf = (more: Json): ParsedContract['contract'] | undefined => {
    const parsed = read(more);
    return parsed.ok ? parsed.value.contract : undefined;
  };
  const paths = (more: Json): readonly string[] => {
    const parsed = read(more);
    return parsed.ok ? [] : parsed.why.map(({ path }) => path);
  };

  it('is nothing by default', () => {
    expect(contractOf({})).not.toHaveProperty('after');
    expect(contractOf({ after: [] })).not.toHaveProperty('after');
    expect(contractOf({})).not.toHaveProperty('notBefore');
  });

  it('is which tasks it comes after, and from when on, by whatever zone that was written', () => {
    expect(contractOf({ after: ['DOC-1', 'DOC-2'] })?.after).toEqual(['DOC-1', 'DOC-2']);
    for (const moment of ['2026-11-24T07:00:00+01:00', '2026-11-24T07:00+01:00', '2026-11-24T06:00:00Z'])
      expect(contractOf({ not_before: moment })?.notBefore).toBe('2026-11-24T06:00:00.000Z');
  });

  it.each([
    [{ after: ['DOC-7-MERGE'] }, '$.after[0]'],
    [{ after: ['A', 'B', 'A'] }, '$.after[2]'],
    [{ after: ['../x'] }, '$.after[0]'],
    [{ after: 'DOC-1' }, '$.after'],
    [{ after: Array.from({ length: 101 }, (_, at) => `T-${at}`) }, '$.after'],
    [{ not_before: '2026-11-24T07:00:00' }, '$.not_before'],
    [{ not_before: '07:00' }, '$.not_before'],
    [{ not_before: 'tomorrow' }, '$.not_before'],
    [{ not_before: '2026-02-30T07:00:00Z' }, '$.not_before'],
    [{ not_before: 1_790_000_000 }, '$.not_before'],
    [{ nicht_before: '2026-11-24T07:00:00Z' }, '$.nicht_before'],
  ])('is refused where it can mean nothing: %j', (more, path) => expect(paths(more)).toEqual([path]));
});
