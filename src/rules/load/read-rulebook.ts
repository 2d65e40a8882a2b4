import type { RuleFileText } from '../dialects/dialect.ts';
import { faultAt, type RuleFault, formatRuleSource } from '../../project/config/rule-fault.ts';
import type { Rule, Rulebook, WrittenRule, PlacedRule, RuleNote } from '../model/rule.ts';
import {
  PRIORITIES,
  type RulePlace,
  type RulePriority,
  MODALITIES,
  PHASES,
  RULE_SEVERITIES,
} from '../model/rule-words.ts';
import { LADDER, withOverrides, type Ladder, type RungOverride, isWeaker } from '../enforce/ladder.ts';
import { refusedQueries } from '../checks/syntax.ts';
import { lintRule } from './lint-rule.ts';
import { placedFault, type ParsedFile, parseRuleFile, type PriorityMapping } from './parse-rule-file.ts';
import { selfTestFaults } from './try-examples.ts';
import { isOlder } from '../../base/find-version.ts';
import { withoutGaps } from '../../base/without-gaps.ts';

/** The rule files that are shipped: what `extends` may name, and the text of each. */
export interface Packs {
  readonly names: readonly string[];
  readonly textOf: (name: string) => string;
}

/** How a rulebook is read. */
interface ReadingOptions {
  readonly packs?: Packs;
  /** Shipped packs that the configuration extends. */
  readonly extends?: readonly string[];
  /** Whether every rule's own examples are tried and its queries compiled; default: yes. */
  readonly selfTests?: boolean;
}

export interface ReadRulebook extends Rulebook {
  readonly ladder: Ladder;
}

export const MAX_RULES = 2000;

/** Reads rule files and the packs they extend into one rulebook; every fault is in it, and nothing is thrown. */
export async function readRulebook(
  files: readonly RuleFileText[],
  { packs: shipped = NO_PACKS, extends: extended = [], selfTests = true }: ReadingOptions = {},
): Promise<ReadRulebook> {
  const parsed = files.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(parseRuleFile);
  const wanted = [
    ...extended.map((pack) => ({ pack, source: { name: 'the configuration' } })),
    ...parsed.flatMap((file) => file.extends),
  ];
  const packs = packsFor(wanted, shipped);
  const ladder = ladderFor([...packs.files, ...parsed]);
  const inherited = packs.files.map((file) => placeRules(file, ladder));
  const own = parsed.map((file) => placeRules(file, ladder));
  const read = [...inherited, ...own];
  const together = putTogether(
    inherited.flatMap((file) => file.rules),
    own.flatMap((file) => file.rules),
  );
  const rules = together.rules.slice(0, MAX_RULES);
  const faults = [packs, ...read, together].flatMap((part) => part.faults);
  if (together.rules.length > MAX_RULES)
    faults.push(
      faultAt(
        'the rulebook',
        undefined,
        [],
        `${together.rules.length} rules; at most ${MAX_RULES} are read`,
        'remove unused rules',
      ),
    );
  if (selfTests)
    for (const { rule, source } of rules) {
      const refused = await refusedQueries(rule);
      const wrong = refused.length > 0 ? refused : await selfTestFaults(rule);
      faults.push(...wrong.map((fault) => placedFault(fault, source, [rule.id])));
    }
  return { rules, faults, notes: [...read, together].flatMap((part) => part.notes), ladder };
}

const NO_PACKS: Packs = { names: [], textOf: () => '' };

/** The named packs, each once, and the packs that they name; an unknown name is a fault. */
function packsFor(
  wanted: ParsedFile['extends'],
  shipped: Packs,
): { readonly files: readonly ParsedFile[]; readonly faults: readonly RuleFault[] } {
  const files = new Map<string, ParsedFile>();
  const faults: RuleFault[] = [];
  const waiting = [...wanted];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const name = bareName(next.pack);
    const isShipped = shipped.names.includes(name);
    if (!isShipped) faults.push(unknownPack(next, shipped.names));
    if (!isShipped || files.has(name)) continue;
    const file = parseRuleFile({ name: `andon/${name}`, text: shipped.textOf(name) });
    files.set(name, file);
    waiting.push(...file.extends);
  }
  return { files: [...files.values()], faults };
}

/** The name of a pack as rule files write it; an `andon/` in front changes nothing. */
const bareName = (written: string): string =>
  written
    .trim()
    .toLowerCase()
    .replace(/^@?andon[/:]/, '');

function unknownPack({ pack, source }: ParsedFile['extends'][number], known: readonly string[]): RuleFault {
  const message = `no pack is called ${JSON.stringify(pack.slice(0, 80))}; shipped are ${known.join(', ')}`;
  return faultAt(source.name, source.line, ['extends'], message, 'name one of these');
}

/** The ladder with every mapping of the files laid over it, in their order. */
function ladderFor(files: readonly ParsedFile[]): Ladder {
  const mappings = files.map(({ mapping }) => mapping);
  if (mappings.every((mapping) => Object.keys(mapping).length === 0)) return LADDER;
  const overrides = PRIORITIES.map((priority) => [
    priority,
    Object.assign({}, ...mappings.map((mapping) => overrideFrom(mapping[priority]))) as RungOverride,
  ]);
  return withOverrides(Object.fromEntries(overrides) as Record<RulePriority, RungOverride>);
}

const overrideFrom = ({ action: handler, ...rest }: PriorityMapping = {}): RungOverride =>
  withoutGaps({ handler, ...rest });

/** The rules of a file with their defaults, those left out that have faults. */
function placeRules(file: ParsedFile, ladder: Ladder): Rulebook {
  const checked = file.rules.map(({ written, source, category, place }) => {
    const rule = normalise(written, ladder, category);
    const { faults, notes } = lintRule(written, rule, ladder);
    return { rule, source, faults: faults.map(place), notes: notes.map((message) => ({ source, message })) };
  });
  return {
    rules: checked.flatMap(({ rule, source, faults }) => (faults.length > 0 ? [] : [{ rule, source }])),
    faults: [...file.faults, ...checked.flatMap(({ faults }) => faults)],
    notes: [...file.notes, ...checked.flatMap(({ notes }) => notes)],
  };
}

/** Fills in the defaults that follow from other keys and from the ladder. */
export function normalise(written: WrittenRule, ladder: Ladder, category = 'general'): Rule {
  const rung = ladder[written.severity];
  const { id, is_hard_constraint: isHard, match } = written;
  const title = written.title ?? written.message ?? id;
  return {
    ...written,
    title,
    priority: rung.priority,
    modality: written.modality ?? rung.modality,
    category: written.category ?? category,
    stack: written.stack.map((name) => name.toLowerCase()),
    handler: written.handler ?? rung.handler,
    match: match && { ...match, on: match.on ?? usualPlace(written) },
    checks: written.checks ?? (hasOnlyTitle(written) ? [{ type: 'plan' }] : []),
    message: written.message ?? title,
    waivable: !isHard && (written.waivable ?? rung.priority !== 'P0'),
  };
}

/** A rule that consists of its title is meant by it, as one with a body is by its body. */
const hasOnlyTitle = (written: WrittenRule): boolean =>
  written.title !== undefined &&
  [written.match, written.content, written.action_text, written.enforcement_expression].every(
    (part) => part === undefined,
  ) &&
  written.metadata['metric_threshold'] === undefined;

/** Where a rule looks that names no place: a `match` that only narrows means answers; the review phase looks at what is reviewed. */
function usualPlace({ match, phase, action_text: action, enforcement_expression: expression }: WrittenRule): RulePlace {
  const isNarrowing = [match?.pattern, match?.not_pattern, match?.keywords, match?.file_patterns].every(
    (part) => part === undefined,
  );
  if (isNarrowing && (action !== undefined || expression !== undefined)) return 'response';
  return phase.length === 1 && phase[0] === 'REVIEW' ? 'review' : 'added_lines';
}

/** What comes of a rule whose id is there already. */
export type Registration =
  | { readonly kind: 'added' | 'same' | 'replaced' | 'kept' }
  | { readonly kind: 'refused'; readonly why: string; readonly remedy: string };

/** Whether a rule may take the place of one with the same id: a higher version does, other content under the same version never. */
export function register(there: Rule | undefined, incoming: Rule): Registration {
  if (there === undefined) return { kind: 'added' };
  if (sameContent(there, incoming)) return { kind: 'same' };
  if (isOlder(there.version, incoming.version)) return override(there, incoming);
  if (isOlder(incoming.version, there.version)) return { kind: 'kept' };
  return {
    kind: 'refused',
    why: `${incoming.id} is there already, with the same version ${there.version} and other content`,
    remedy: 'give one of them another id, or the newer one a higher version',
  };
}

/** Whether a project's rule may override an inherited one: hard constraints and P0 may only become stricter. */
export function override(parent: Rule, child: Rule): Registration {
  if (!parent.is_hard_constraint && parent.priority !== 'P0') return { kind: 'replaced' };
  const weaker = weakerIn(parent, child);
  if (weaker.length === 0) return { kind: 'replaced' };
  const what = parent.is_hard_constraint ? 'a hard constraint' : 'of priority P0';
  return {
    kind: 'refused',
    why: `${child.id} is inherited and ${what}; it may not be weakened (${weaker.join(', ')})`,
    remedy: 'leave these as they are, or write a rule of your own under another id',
  };
}

/** In what a child does less than its parent; what is looked for must be the same, because no comparison could tell. */
function weakerIn(parent: Rule, child: Rule): string[] {
  const less: readonly (readonly [string, boolean])[] = [
    ['severity', RULE_SEVERITIES.indexOf(child.severity) > RULE_SEVERITIES.indexOf(parent.severity)],
    ['handler', isWeaker(child.handler, parent.handler)],
    ['modality', MODALITIES.indexOf(child.modality) > MODALITIES.indexOf(parent.modality)],
    ['is_hard_constraint', parent.is_hard_constraint && !child.is_hard_constraint],
    ['waivable', child.waivable && !parent.waivable],
    ['scope', parent.scope === 'GLOBAL' && child.scope !== 'GLOBAL'],
    ['phase', PHASES.some((phase) => parent.phase.includes(phase) && !child.phase.includes(phase))],
    ['stack', narrows(parent.stack, child.stack)],
    ['agents', narrows(parent.agents, child.agents)],
    ...(
      [
        'match',
        'checks',
        'content',
        'condition_text',
        'action_text',
        'enforcement_expression',
        'extract',
        'on_missing',
      ] as const
    ).map((key) => [key, !isSame(parent[key], child[key])] as const),
  ];
  return less.filter(([, is]) => is).map(([name]) => name);
}

/** An empty list means all of them. */
const narrows = (parent: readonly string[], child: readonly string[]): boolean =>
  child.length > 0 && (parent.length === 0 || parent.some((name) => !child.includes(name)));

const sameContent = (a: Rule, b: Rule): boolean =>
  isSame({ ...a, version: '' }, { ...b, version: '' }) && a.version === b.version;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]));
}

/** Rules of packs and of the project put together, in a stable order: the first place of an id stays its place. */
export function putTogether(packs: readonly PlacedRule[], own: readonly PlacedRule[]): Rulebook {
  const faults: RuleFault[] = [];
  const notes: RuleNote[] = [];
  const inherited = collect(packs, faults, notes);
  const written = collect(own, faults, notes);
  const rules = new Map(inherited);
  for (const [id, placed] of written) {
    const parent = inherited.get(id);
    const answer = parent === undefined ? { kind: 'added' as const } : override(parent.rule, placed.rule);
    if (answer.kind === 'refused') faults.push(faultOf(placed, answer));
    else rules.set(id, placed);
    if (parent !== undefined && answer.kind !== 'refused')
      notes.push({ source: placed.source, message: `${id}: overrides the rule of ${parent.source.name}` });
  }
  return { rules: [...rules.values()], faults, notes };
}

const faultOf = (
  { rule: { id }, source: { name, line } }: PlacedRule,
  { why, remedy }: Extract<Registration, { kind: 'refused' }>,
): RuleFault => faultAt(name, line, [id], why, remedy);

/** One rule per id: a higher version replaces, the same version with other content is refused. */
function collect(placed: readonly PlacedRule[], faults: RuleFault[], notes: RuleNote[]): Map<string, PlacedRule> {
  const rules = new Map<string, PlacedRule>();
  for (const one of placed) {
    const there = rules.get(one.rule.id);
    const answer = register(there?.rule, one.rule);
    if (answer.kind === 'added' || answer.kind === 'replaced') rules.set(one.rule.id, one);
    if (answer.kind === 'refused') faults.push(faultOf(one, answer));
    if (there === undefined || answer.kind === 'refused') continue;
    const outcomes = {
      same: 'is there twice, the same',
      replaced: `replaces version ${there.rule.version}`,
      kept: `is older than version ${there.rule.version}`,
      added: '',
    };
    notes.push({
      source: one.source,
      message: `${one.rule.id}: ${outcomes[answer.kind]} of ${formatRuleSource(there.source)}`,
    });
  }
  return rules;
}
