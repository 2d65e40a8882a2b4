import { findNearestWord } from '../../base/find-nearest-word.ts';
import type { RuleFileText } from '../dialects/dialect.ts';
import { faultAt, sourceAt, type RuleFault } from '../../project/config/rule-fault.ts';
import type { PlacedRule, Rulebook, RuleNote } from '../model/rule.ts';
import { PRIORITIES, type RulePriority } from '../model/rule-words.ts';
import { LADDER, withOverrides, type Ladder, type RungOverride } from '../enforce/ladder.ts';
import { putTogether } from './register.ts';
import { refusedQueries } from '../checks/syntax.ts';
import { lintRule } from './lint-rule.ts';
import { normalise } from './normalise.ts';
import type { RuleRemark } from './rule-faults.ts';
import {
  placedFault,
  type ParsedFile,
  type ParsedRule,
  parseRuleFile,
  type PriorityMapping,
} from './parse-rule-file.ts';
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
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const parsed = sorted.map((file) => parseRuleFile(file));
  const wanted = [
    ...extended.map((pack) => ({ pack, source: { name: 'the configuration' } })),
    ...parsed.flatMap((file) => file.extends),
  ];
  const packs = packsFor(wanted, shipped);
  const ladder = ladderFor([...packs.files, ...parsed]);
  const state: State = { faults: [...packs.faults], notes: [] };
  const inherited = packs.files.flatMap((file) => placedRules(file, ladder, state));
  const own = parsed.flatMap((file) => placedRules(file, ladder, state));
  const together = putTogether(inherited, own);
  state.faults.push(...together.faults);
  state.notes.push(...together.notes);
  if (together.rules.length > MAX_RULES)
    state.faults.push(
      faultAt(
        'the rulebook',
        undefined,
        [],
        `${together.rules.length} rules; at most ${MAX_RULES} are read`,
        'remove unused rules',
      ),
    );
  const rules = together.rules.slice(0, MAX_RULES);
  if (selfTests)
    for (const { rule, source } of rules) {
      const refused = (await refusedQueries(rule)).map((fault) => ({
        ...fault,
        remedy: 'write a tree-sitter query in the node names of its grammar; docs/rules.md has an example',
      }));
      const faults = refused.length > 0 ? refused : await selfTestFaults(rule);
      state.faults.push(...faults.map((fault) => placedFault(fault, source, [rule.id])));
    }
  return { rules, faults: state.faults, notes: state.notes, ladder };
}

const NO_PACKS: Packs = { names: [], textOf: () => '' };

interface State {
  readonly faults: RuleFault[];
  readonly notes: RuleNote[];
}

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
function placedRules(file: ParsedFile, ladder: Ladder, state: State): PlacedRule[] {
  state.faults.push(...file.faults);
  state.notes.push(...file.notes);
  return file.rules.flatMap((parsed) => {
    const { rule, faults, notes } = normalise(parsed.written, ladder, parsed.category);
    const linted = lintRule(rule);
    const wrong = [...faults, ...linted.faults];
    state.notes.push(...[...notes, ...linted.notes].map((message) => ({ source: parsed.source, message })));
    state.faults.push(...wrong.map((fault) => locateFault(fault, parsed)));
    return wrong.length > 0 ? [] : [{ rule, source: parsed.source }];
  });
}

const locateFault = (fault: RuleRemark, { source, path, lineOf }: ParsedRule): RuleFault =>
  placedFault(fault, sourceAt(source.name, lineOf([...path, ...fault.path]) ?? source.line), path);
