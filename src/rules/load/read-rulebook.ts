import { findNearestWord } from '../../base/find-nearest-word.ts';
import type { RuleFileText } from '../dialects/dialect.ts';
import { faultAt, type RuleFault } from '../../project/config/rule-fault.ts';
import type { Rule, Rulebook, WrittenRule } from '../model/rule.ts';
import { PRIORITIES, type RulePlace, type RulePriority } from '../model/rule-words.ts';
import { LADDER, withOverrides, type Ladder, type RungOverride } from '../enforce/ladder.ts';
import { putTogether } from './register.ts';
import { refusedQueries } from '../checks/syntax.ts';
import { lintRule } from './lint-rule.ts';
import { placedFault, type ParsedFile, parseRuleFile, type PriorityMapping } from './parse-rule-file.ts';
import { selfTestFaults } from './try-examples.ts';

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
  const nearest = findNearestWord(pack, known);
  const message = `no pack is called ${JSON.stringify(pack.slice(0, 80))}; shipped are ${known.join(', ')}`;
  const remedy = nearest === undefined ? 'name one of these' : `the nearest is \`${nearest}\``;
  return faultAt(source.name, source.line, ['extends'], message, remedy);
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

function overrideFrom({
  action: handler,
  notify_human: notifyHuman,
  rollback,
  iteration_penalty: iterationPenalty,
}: PriorityMapping = {}): RungOverride {
  const override = { handler, notifyHuman, rollback, iterationPenalty };
  return Object.fromEntries(Object.entries(override).filter(([, value]) => value !== undefined));
}

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
