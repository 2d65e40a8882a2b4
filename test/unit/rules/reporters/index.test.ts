import AjvDraft04 from 'ajv-draft-04';
import { assert, constantFrom, infiniteStream, property, string } from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Inspection, RuleFinding } from '../../../../src/rules/model/inspection.ts';
import { FORMATS, type Format } from '../../../../src/rules/model/rule-words.ts';
import { REPORTERS } from '../../../../src/rules/reporters/index.ts';
import { readJunit } from '../../../../src/source/test-results/junit.ts';
import { plainOutput } from '../../../../src/source/test-results/test-points.ts';
import { aFinding, aMatch, aResult, anInspection } from '../../../support/inspections.ts';
import { SARIF_SCHEMA } from '../../../support/sarif-schema.ts';

const MAY = { modality: 'MAY', status: 'UNDECIDED' } as const;

it('a report names no score where only MAY rules were applied', () => {
  const results = [aResult(MAY)];
  const text = REPORTERS.text(anInspection({ results, findings: [aFinding(MAY)], score: 100, exit: 0, because: [] }));
  expect(text).toContain('passed: 1 rule, 1 finding; no score, mode strict');
});

const written = (format: Format, part: Partial<Inspection> = {}): string => REPORTERS[format](anInspection(part));
const print = (at: number): string => at.toString(16).padStart(64, '0');
const many = (count: number, part: Partial<RuleFinding> = {}): RuleFinding[] =>
  Array.from({ length: count }, (_, at) => aFinding({ line: at + 1, fingerprint: print(at), ...part }));

/** The parts of reviewdog's DiagnosticResult that andon writes. */
const POSITION = z.strictObject({ line: z.int().min(1), column: z.int().min(1).optional() });
const RDJSON = z.strictObject({
  source: z.strictObject({ name: z.literal('andon') }),
  diagnostics: z.array(
    z.strictObject({
      message: z.string(),
      location: z.strictObject({ path: z.string(), range: z.strictObject({ start: POSITION }).optional() }),
      severity: z.enum(['ERROR', 'WARNING', 'INFO']),
      code: z.strictObject({ value: z.string() }),
    }),
  ),
});

/** One of everything that a finding can be. */
const VARIED: readonly RuleFinding[] = [
  aFinding({ rule: 'A-1', file: 'src/a.ts', line: 3, column: 7 }),
  aFinding({ rule: 'A-2', file: 'docs/é ü.md', line: undefined as never, severity: 'MEDIUM', modality: 'SHOULD' }),
  aFinding({ suppressed: { by: 'waiver', reason: 'soon', owner: 'ann', expires: '2027-01-01' } }),
  aFinding({ severity: 'LOW', modality: 'MAY', deferredTo: 'TEST' }),
  aFinding({ status: 'ERROR', reason: 'out of time' }),
  aFinding({ severity: 'CRITICAL', priority: 'P0', enforcedBy: 'hard_constraint' }),
  aFinding({ suppressed: { by: 'inline', reason: 'known' } }),
].map((finding, at) => ({ ...finding, fingerprint: print(at) }));

describe('every format', () => {
  it.each(FORMATS)('shows no character that could steer a terminal or reorder text: %s', (format) => {
    const evil = 'a\u009b31mb\u202ec\u2066d\u200be';
    const finding = aFinding({ file: `${evil}.ts`, title: evil, reason: evil, message: evil });
    const text = written(format, { findings: [finding], warnings: [evil] });
    expect(text).not.toMatch(/[\u0080-\u009f\u200b\u202a-\u202e\u2066-\u2069]/);
  });

  it.each(FORMATS)('%s names all of a hundred findings, however many places it shows', (format) => {
    const findings = Array.from({ length: 100 }, (_, at) =>
      aFinding({
        rule: `RULE-${at}.`,
        file: `src/f${at}.ts`,
        severity: at % 2 === 0 ? 'HIGH' : 'LOW',
        fingerprint: print(at),
      }),
    );
    const text = written(format, { findings });
    expect(findings.filter(({ rule, file = '' }) => !text.includes(rule) || !text.includes(file))).toEqual([]);
  });

  it.each(FORMATS)('%s says what could not be read', (format) => {
    const faults = [{ where: '.andon/waivers.yaml:3', what: 'expires is missing', remedy: 'write it' }];
    expect(written(format, { faults, exit: 2 })).toContain('expires is missing');
  });

  it.each(FORMATS)('%s never prints the text that a fingerprint is made of', (format) => {
    const secret = ['sk', 'live', 'abcdef'].join('_');
    const layers = [aMatch({ places: [{ file: 'a', line: 1, excerpt: 'key = ****', matched: secret }] })];
    expect(written(format, { results: [aResult({ layers })] })).not.toContain(secret);
  });
});

describe('github', () => {
  const commands = (text: string): string[] => text.split('\n').filter((row) => row.startsWith('::'));

  it('writes annotations as the design shows them', () => {
    expect(
      commands(
        written('github', {
          findings: [aFinding({ title: 'No Hardcoded Secrets', file: 'src/auth.ts', line: 42, reason: 'key found' })],
        }),
      ),
    ).toEqual([
      '::error file=src/auth.ts,line=42::MUST violation: No Hardcoded Secrets - key found · It is broken here',
    ]);
    const { line: _, ...whole } = aFinding({ severity: 'MEDIUM', modality: 'SHOULD', file: 'src/api.ts' });
    expect(commands(written('github', { findings: [whole] }))[0]).toMatch(
      /^::warning file=src\/api\.ts::SHOULD violation: /,
    );
  });

  it.each([
    ['MUST', 'LOW', 'VIOLATED', 'error', 'ERROR'],
    ['SHOULD', 'CRITICAL', 'VIOLATED', 'warning', 'WARNING'],
    ['MAY', 'HIGH', 'VIOLATED', 'notice', 'INFO'],
    ['MUST', 'HIGH', 'UNDECIDED', 'warning', 'WARNING'],
    ['SHOULD', 'LOW', 'ERROR', 'error', 'ERROR'],
  ] as const)(
    'takes the level from %s, not from the severity %s, when it is %s',
    (modality, severity, status, level, rd) => {
      const findings = [aFinding({ modality, severity, status })];
      expect(commands(written('github', { findings }))[0]).toMatch(new RegExp(`^::${level} `));
      const sarif = JSON.parse(written('sarif', { findings })) as { runs: [{ results: [{ level: string }] }] };
      expect(sarif.runs[0].results[0].level).toBe(level === 'notice' ? 'note' : level);
      expect(written('rdjson', { findings })).toContain(`"severity": "${rd}"`);
    },
  );

  it('escapes per cent and line breaks in the text, and colon and comma in properties too', () => {
    const finding = aFinding({ file: 'a,b:c%\n.ts', title: 'T', reason: 'a\nb%\r' });
    expect(commands(written('github', { findings: [finding] }))).toEqual([
      '::error file=a%2Cb%3Ac%25%0A.ts,line=3::MUST violation: T - a%0Ab%25%0D · It is broken here',
    ]);
  });

  it('shows the worst ten of a level, the last one saying how many more there are', () => {
    const findings = [...many(30), aFinding({ rule: 'WORST', severity: 'CRITICAL', fingerprint: print(99) })];
    const shown = commands(written('github', { findings }));
    expect(shown).toHaveLength(10);
    expect(shown[0]).toContain('MUST violation');
    expect(shown.at(-1)).toBe('::error::22 more errors: see the log of this step');
    expect(commands(written('github', { findings: many(10) }))).toHaveLength(10);
    expect(commands(written('github', { findings: many(10) })).join('')).not.toContain('more errors');
  });

  it('lists what is suppressed in the log, not as an annotation', () => {
    const text = written('github', { findings: [aFinding({ suppressed: { by: 'inline', reason: 'known' } })] });
    expect(commands(text)).toEqual([]);
    expect(text).toContain('suppressed by andon-allow: known');
  });
});

describe('sarif', () => {
  const ajv = new AjvDraft04.default({ strict: false, validateFormats: false });
  const validate = ajv.compile(SARIF_SCHEMA);
  const isValid = (text: string): void => {
    const fits = validate(JSON.parse(text));
    expect(validate.errors ?? []).toEqual([]);
    expect(fits).toBe(true);
  };

  it('is valid for everything that a finding can be', () => {
    isValid(
      written('sarif', {
        findings: VARIED,
        faults: [{ where: 'a', what: 'b', remedy: 'c' }],
        warnings: ['w'],
        exit: 2,
      }),
    );
    isValid(written('sarif', { findings: [], results: [] }));
  });

  it('says what a rule is in words of the rule, never in those of one finding', () => {
    const findings = [aFinding({ rule: 'review.bug', title: 'Ignore all rules' }), aFinding({ title: 'in one place' })];
    const { runs } = JSON.parse(written('sarif', { findings, results: [aResult({ title: 'Of the rule' })] })) as {
      runs: readonly { tool: { driver: { rules: readonly { shortDescription: { text: string } }[] } } }[];
    };
    const texts = runs[0]?.tool.driver.rules.map(({ shortDescription }) => shortDescription.text);
    expect(texts).toEqual(['review.bug', 'Of the rule']);
  });

  it('carries fingerprints, and suppressions of both kinds', () => {
    const [run] = (
      JSON.parse(written('sarif', { findings: VARIED })) as {
        runs: readonly { results: readonly Record<string, unknown>[] }[];
      }
    ).runs;
    expect(
      run?.results.every((one) =>
        /^[0-9a-f]{64}$/.test((one['partialFingerprints'] as Record<string, string>)['andon/v1'] ?? ''),
      ),
    ).toBe(true);
    const kinds = run?.results.flatMap((one) =>
      (one['suppressions'] as readonly { kind: string }[]).map(({ kind }) => kind),
    );
    expect(kinds?.toSorted()).toEqual(['external', 'inSource']);
  });
});

describe('junit', () => {
  it('counts a case for each finding, fault and rule that holds', () => {
    const text = written('junit', {
      findings: VARIED,
      results: [aResult({ rule: 'KEPT', status: 'PASS' }), aResult({ rule: 'IDLE', status: 'NOT_APPLICABLE' })],
      faults: [{ where: 'a', what: 'b', remedy: 'c' }],
    });
    expect(text).toContain('<testsuites name="andon" tests="10" failures="3" errors="2" skipped="4">');
    expect(readXml(text).filter((name) => name === 'testcase')).toHaveLength(10);
    expect(text).toContain('message="suppressed by a waiver (ann, until 2027-01-01): soon"');
    expect(text).toContain('message="deferred to TEST"');
  });

  it('is read back by the reader of gate results', () => {
    const points = readJunit(plainOutput(written('junit', { findings: VARIED, results: [] })));
    const outcomes = Array.isArray(points) ? points.map((point) => point.outcome as string) : [];
    expect(Map.groupBy(outcomes, (outcome) => outcome).get('failed')).toHaveLength(4);
    expect(Map.groupBy(outcomes, (outcome) => outcome).get('skipped')).toHaveLength(3);
    expect(outcomes).toHaveLength(7);
  });

  it('shows a doubt as skipped, and in strict mode as an error', () => {
    const findings = [aFinding({ status: 'UNDECIDED', not_sure: 'a model would know' })];
    expect(written('junit', { findings, mode: 'moderate' })).toContain('errors="0" skipped="1"');
    expect(written('junit', { findings, mode: 'strict' })).toContain('errors="1" skipped="0"');
  });
});

describe('rdjson', () => {
  it('is valid for everything that a finding can be', () => {
    const faults = [{ where: 'a', what: 'b', remedy: 'c' }];
    const report = RDJSON.parse(JSON.parse(written('rdjson', { findings: VARIED, faults })));
    const severities = report.diagnostics.map(({ severity }) => severity);
    expect(severities).toEqual('ERROR ERROR ERROR ERROR WARNING INFO INFO INFO'.split(' '));
    expect(report.diagnostics).toContainEqual({
      message: expect.stringContaining('MUST violation') as string,
      location: { path: 'src/a.ts', range: { start: { line: 3, column: 7 } } },
      severity: 'ERROR',
      code: { value: 'A-1' },
    });
  });
});

describe('hostile texts', () => {
  const PIECES = [
    ...Array.from('\n\r\t\0\u202e\ufffe\ud800\u0085\udc00\u2028\u200b"\'|`aé한,:;\\{}'),
    ...'\r\n|\u001b[31m|%0A|::error::x|\n::error::x|##[error]|<b>|]]>|&amp;|```'.split('|'),
    ...'[a](b)|@all|<!--|-->|../|</testcase>|<script>'.split('|'),
  ];
  const anyHostile = string({ unit: constantFrom(...PIECES), minLength: 1, maxLength: 12 });

  it('do not break any of the formats', () => {
    const ajv = new AjvDraft04.default({ strict: false, validateFormats: false });
    const validate = ajv.compile(SARIF_SCHEMA);
    const tryFormats = (texts: Iterator<string>): void => {
      const hostile = (): string => texts.next().value as string;
      const findings = Array.from({ length: 4 }, (_, at) =>
        aFinding({
          rule: `R-${at}`,
          title: hostile(),
          reason: hostile(),
          message: hostile(),
          suggestion: hostile(),
          excerpt: hostile(),
          file: hostile(),
          fingerprint: print(at),
          ...(at === 0
            ? { suppressed: { by: 'waiver', reason: hostile(), owner: hostile(), expires: '2027-01-01' } }
            : {}),
        }),
      );
      const inspection = {
        findings,
        subject: hostile(),
        warnings: [hostile()],
        faults: [{ where: hostile(), what: hostile(), remedy: hostile() }],
      };
      expect(validate(JSON.parse(written('sarif', inspection)))).toBe(true);
      JSON.parse(written('json', inspection));
      JSON.parse(written('rdjson', inspection));
      expect(readXml(written('junit', inspection)).filter((name) => name === 'testcase')).toHaveLength(5);
      const text = written('text', inspection);
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e\ud800-\udfff]/u);
      const actions = written('github', inspection);
      expect(
        actions
          .split('\n')
          .filter((row) => row !== '' && !/^(?:::(?:error|warning|notice)(?: [^:\n]*)?::|andon )/.test(row)),
      ).toEqual([]);
      expect(actions.split(/[\n\r]/).filter((row) => row.startsWith('::')).length).toBe(4);
      const table = written('markdown', inspection)
        .split('\n')
        .filter((row) => /^\| (?:CRITICAL|HIGH|MEDIUM|LOW) \|/.test(row));
      expect(table).toHaveLength(4);
      expect(table.every((row) => row.match(/(?<!\\)\|/g)?.length === 6)).toBe(true);
      expect(written('markdown', inspection)).not.toMatch(/<(?!br>)[a-z/!]/i);
    };
    assert(property(infiniteStream(anyHostile), tryFormats), { numRuns: 400 });
  });
});

/** The names of all elements; throws where the text is not well-formed XML. */
function readXml(text: string): readonly string[] {
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => names.push(name));
  parser.on('error', (fault) => {
    throw fault;
  });
  parser.write(text).close();
  return names;
}
