import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InspectionContext, Subject } from '../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { checkRule } from '../../../src/rules/run-rules.ts';
import { StepBudget, findMatches } from '../../../src/rules/matchers/find-matches.ts';
import { haystackOf } from '../../../src/base/haystack.ts';
import { compilePattern, type CompiledPattern } from '../../../src/base/pattern.ts';
import { SHAPES } from '../../../src/rules/secrets/shapes.ts';
import { inTurns, median } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import type { Stage } from '../stage.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PATTERNS = 100;
const MEGABYTES = 8;
const RULES = 250;
const DIFF_LINES = 200;

/** How quickly source is looked through for 100 patterns, and a diff for 250 rules; beside the native engine and a plain loop. */
export async function rules(_stage: Stage, { pairs }: Options): Promise<Measured> {
  const files = sourceFiles();
  const megabytes = files.reduce((sum, { length }) => sum + length, 0) / 1e6;
  const wanted = patterns(PATTERNS);
  const made = wanted.map(({ source, word }) => ({ word, ours: compiled(source), native: native(source) }));
  const subject = aDiff(files);
  const asked = patterns(RULES).map(({ source, word }, at) => aRule(at, source, word));
  const [ours = [], prefiltered = [], plain = [], diff = []] = await inTurns(pairs, [
    () => speed(megabytes, () => files.forEach((text) => search(text, made))),
    () => speed(megabytes, () => files.forEach((text) => searchNatively(text, made))),
    () =>
      speed(first(files), () =>
        files.slice(0, 1).forEach((text) => made.forEach(({ native: regex }) => [...text.matchAll(regex)].length)),
      ),
    () => timed(() => checkAll(asked, { ...subject })),
  ]);
  return {
    name: 'rules',
    notes: [
      `${megabytes.toFixed(1)} MB of TypeScript in ${files.length} files, ${PATTERNS} patterns with a keyword each; the plain loop looks at the first file only.`,
      'Keywords serve the native engine as well; it can be held up by a pattern, which the engine of andon cannot.',
    ],
    sides: [
      { label: 'andon, RE2 near keywords', unit: 'MB/s', values: ours },
      { label: 'native engine, files with the keyword', unit: 'MB/s', values: prefiltered },
      { label: 'native engine, every pattern on everything', unit: 'MB/s', values: plain },
      { label: `${DIFF_LINES} added lines, ${RULES} rules`, unit: 'ms', values: diff },
    ],
    figures: [
      { key: 'rules.speed', label: 'source through 100 patterns', value: median(ours) },
      { key: 'rules.diff', label: 'a diff through 250 rules', value: median(diff) },
      { key: 'rules.native', label: 'ours ÷ native engine with keywords', value: median(ours) / median(prefiltered) },
    ],
  };
}

interface Made {
  readonly word: string;
  readonly ours: CompiledPattern;
  readonly native: RegExp;
}

function search(text: string, made: readonly Made[]): void {
  const haystack = haystackOf(text);
  const budget = new StepBudget(Number.MAX_SAFE_INTEGER);
  for (const { word, ours } of made) findMatches(ours, haystack, { keywords: [word], budget });
}

function searchNatively(text: string, made: readonly Made[]): void {
  const lower = text.toLowerCase();
  for (const { word, native: regex } of made) if (lower.includes(word)) for (const _ of text.matchAll(regex));
}

async function checkAll(asked: readonly Rule[], subject: Subject): Promise<void> {
  for (const rule of asked) await checkRule(rule, subject, { context: CONTEXT });
}

const CONTEXT: InspectionContext = { now: '2026-01-01T00:00:00.000Z' };

/** Keys given to names that hold a vendor's word, in the way secret scanners ask for them. */
function patterns(count: number): readonly { readonly source: string; readonly word: string }[] {
  const words = SHAPES.filter(({ isNamed }) => isNamed)
    .flatMap((shape) => shape.words)
    .filter((word) => word.length > 3);
  return Array.from({ length: count }, (_, at) => {
    const word = `${words[at % words.length] ?? ''}${at < words.length ? '' : ['_id', '_url', '-x'][Math.floor(at / words.length) % 3]}`;
    return {
      word,
      source: `(?i)[\\w.-]{0,40}${word}[\\w .-]{0,20}['"]?\\s{0,3}(?:=>|:=|[:=])[\\s'"]{0,5}([a-z0-9]{${20 + (at % 20)}})\\b`,
    };
  });
}

function compiled(source: string): CompiledPattern {
  const made = compilePattern(source);
  if (!made.ok) throw new Error(made.why);
  return made.value;
}

const native = (source: string): RegExp => new RegExp(source.replace('(?i)', ''), 'gim');

/** A rule in which only its pattern counts. */
export function aRule(at: number, pattern: string, word: string): Rule {
  return {
    id: `BENCH-${at}`,
    version: '1.0.0',
    title: 'bench',
    severity: 'HIGH',
    priority: 'P1',
    modality: 'MUST',
    category: 'security',
    tags: [],
    stack: [],
    phase: ['IMPLEMENTATION'],
    handler: 'QUICK_FIX',
    scope: 'GLOBAL',
    is_hard_constraint: false,
    match: { on: 'added_lines', mode: 'forbid', pattern, keywords: [word] },
    checks: [],
    on_missing: 'not_applicable',
    message: 'bench',
    agents: ['all'],
    attached_tool_ids: [],
    waivable: true,
    tests: { violates: [], passes: [] },
    metadata: {},
  };
}

function aDiff(files: readonly string[]): Subject {
  const added = files
    .flatMap((text) => text.split('\n'))
    .slice(0, DIFF_LINES)
    .map((text, at) => ({ line: at + 1, text }));
  return { files: [{ path: 'src/example.ts', change: 'modified', binary: false, added }] };
}

/** The project's own source, again and again until it is large enough. */
function sourceFiles(): readonly string[] {
  const own = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const files: string[] = [];
  for (let size = 0; size < MEGABYTES * 1e6;) {
    const text = own[files.length % own.length] ?? '';
    files.push(text);
    size += Math.max(1, text.length);
  }
  return files;
}

const first = (files: readonly string[]): number => (files[0]?.length ?? 0) / 1e6;

async function speed(megabytes: number, work: () => void): Promise<number> {
  return megabytes / ((await timed(() => Promise.resolve(work()))) / 1000);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
