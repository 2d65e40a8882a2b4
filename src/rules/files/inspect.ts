import {
  type BaselineEntry,
  CHANGES_RULES,
  type Inspection,
  isOpen,
  type RuleFinding,
  type Subject,
  toInspectionFault,
} from '../model/inspection.ts';
import type { Phase, Surface } from '../model/rule-words.ts';
import { MODES, type Mode } from '../../project/config/config-words.ts';
import type { AgentProfile } from '../../project/config/agent-profiles.ts';
import { createUsageError, Problem } from '../../base/problem.ts';
import { runRules } from '../run-rules.ts';
import { selectProfileRules } from './profiles.ts';
import { listMisnamed } from './rulebook.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readRulesBetween, readWorkTreeRules, type HeldAgainst, type Version } from './rule-versions.ts';
import { gatherSubject, type SubjectOptions } from './gather-subject.ts';
import { auditCommand } from './audit-log.ts';
import { formatCount } from '../../base/format-count.ts';
import { listNames } from '../../base/list-names.ts';
import type { Rule } from '../model/rule.ts';
import { impliesPlan } from '../checks/plan.ts';
import type { OpenModels } from './lane-tools.ts';
import { parseJsonObject } from '../../base/json-object.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { withWriteErrors } from '../../base/with-write-errors.ts';
import { isScored } from '../enforce/decide-exit.ts';
import { Baseline, needsSignature } from '../enforce/suppress.ts';
import { BASELINE_FILE, readBaseline, writeBaseline } from '../load/baseline-file.ts';
import { WAIVERS_FILE } from '../load/waiver-file.ts';
import { isThere } from './read-files.ts';
import { openWorkTree } from './project-files.ts';

/** One question to the rules of a project, from a command. */
export interface InspectionRequest {
  readonly look: SubjectOptions;
  readonly surface: Surface;
  readonly phase?: Phase | undefined;
  readonly task?: string | undefined;
  /** Opens the models for rules in prose; undefined: none is asked. */
  readonly llm: OpenModels | undefined;
  readonly trace: boolean;
  /** Whether the findings are written into the baseline. */
  readonly updateBaseline?: boolean;
  /** Only the rules of this profile, and as hard as it says. */
  readonly profile?: AgentProfile | undefined;
  /** Ends the questions of `llm`. */
  readonly signal?: AbortSignal;
}

/** Applies the rules of a project to what a command looks at; everything that is read or written is so here. */
export async function inspect(
  place: Workspace,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  request: InspectionRequest,
): Promise<Inspection> {
  const { root } = place.facts;
  const ask = request.llm && (await openAsk(place, env, request.llm, request.signal));
  const { subject, title, notes, between } = await gatherSubject(place, cwd, env, request.look);
  const held =
    between === undefined
      ? await readWorkTreeRules(place)
      : await readRulesBetween(place, between, request.look.staged !== undefined);
  const now = new Date().toISOString();
  const { profile } = request;
  const idle = profile === undefined ? [] : patternsWithoutRules(profile, held.now);
  const apply = ({ rulebook, enforcement, project }: Version, baseline?: readonly BaselineEntry[]) =>
    runRules(
      baseline === undefined ? rulebook : { ...rulebook, suppressions: { ...rulebook.suppressions, baseline } },
      project === undefined ? subject : { ...subject, project },
      {
        now,
        stack: rulebook.stack,
        phase: request.phase,
        task: request.task,
        quality: enforcement.quality,
        profileRules: profile?.rules,
        agentType: profile?.name,
      },
      {
        surface: request.surface,
        mode: profile?.enforcement ?? enforcement.mode,
        threshold: enforcement.scoreThreshold,
        subject: profile === undefined ? title : `${title}, as ${profile.name}`,
        tools: ask === undefined ? {} : { ask },
      },
    );
  const lines = [...held.notes, ...idle];
  let inspection = await applyAll(held, notes, apply);
  if (request.updateBaseline === true) {
    const { baseline, note } = updateBaseline(root, inspection, subject);
    lines.push(note);
    inspection = await applyAll(held, notes, (version) => apply(version, baseline));
  }
  if ([held.now, held.before, held.base].every((version) => version === undefined || isWithoutRules(version)))
    lines.push('this project has no rules: andon rules new writes a first one into .andon/rules/');
  if (subject.files.length > 0)
    lines.push(
      ...listProseOnly(
        held.now.rulebook.rules.map(({ rule }) => rule),
        inspection,
      ),
    );
  lines.push(...listMisnamed(root));
  lines.push(...(await auditCommand(place, inspection)));
  // A part of the rules says nothing about what the whole project would pass.
  const suggestion = profile === undefined ? recordRun(place, inspection) : undefined;
  if (suggestion !== undefined) lines.push(suggestion);
  return { ...inspection, warnings: [...inspection.warnings, ...lines], trace: request.trace ? inspection.trace : [] };
}

async function openAsk(place: Workspace, env: NodeJS.ProcessEnv, openModels: OpenModels, signal?: AbortSignal) {
  const { askAboutRules } = await import('./lane-tools.ts');
  return askAboutRules((await openModels(place, env))(signal));
}

/** Refuses a profile that matches no rule, because it would pass everything. Prints patterns without a match. */
function patternsWithoutRules(profile: AgentProfile, { rulebook }: Version): readonly string[] {
  const { rules, faults } = rulebook;
  const { kept, idle } = selectProfileRules(profile, rulebook);
  if (kept.length === 0 && faults.length === 0)
    throw createUsageError(
      `${profile.name} is held to no rule: none of the ${rules.length} of this project is named by ${profile.rules.join(', ')}`,
      rules.length === 0
        ? 'this project has no rules yet: andon rules new <id> writes a first one'
        : `correct \`rules\` in ${profile.file}; andon rules list shows the ids`,
    );
  return idle.map((pattern) => `${profile.file}: no rule is named by ${pattern}`);
}

const isWithoutRules = ({ rulebook: { rules, faults } }: Version): boolean => rules.length === 0 && faults.length === 0;

/** Holds a change against the rules that it leaves and, where they differ, found and will be merged under; the strictest count. */
async function applyAll(
  { now, before, base }: HeldAgainst,
  notes: readonly string[],
  apply: (version: Version) => Promise<Inspection>,
): Promise<Inspection> {
  const after = { name: now.name, inspection: await apply(now) };
  const earlier = before && { name: before.name, inspection: await apply(before) };
  const merged = base && { name: base.name, inspection: await apply(base) };
  const versions = [after, earlier, merged].filter((version) => version !== undefined);
  const all = versions.slice(1).reduce((sum, version) => combineInspections(sum, version.inspection), after.inspection);
  const lines = earlier === undefined ? notes : markRuleChanges(notes, after, earlier);
  return {
    ...all,
    because: combineReasons(versions),
    warnings: [...all.warnings, ...lines, ...(merged === undefined ? [] : [describeBase(merged)])],
  };
}

interface VersionInspection {
  readonly name: string;
  readonly inspection: Inspection;
}

/** Why each version does not pass a change, the gravest first; each reason names its version unless all give it. */
function combineReasons(versions: readonly VersionInspection[]): readonly string[] {
  const givers = new Map<string, string[]>();
  for (const { name, inspection } of versions.toSorted((a, b) => b.inspection.exit - a.inspection.exit))
    for (const sentence of inspection.because) givers.set(sentence, [...(givers.get(sentence) ?? []), name]);
  return [...givers].map(([sentence, names]) =>
    names.length === versions.length ? sentence : `by ${names.join(' and ')}: ${sentence}`,
  );
}

/** That a change decides over itself, and what comes of it by each of its two versions. */
function markRuleChanges(
  notes: readonly string[],
  now: VersionInspection,
  before: VersionInspection,
): readonly string[] {
  const outcome = [before, now].map(describeOutcome).join(', ');
  const lines = notes.some((note) => note.startsWith(CHANGES_RULES)) ? notes : [...notes, CHANGES_RULES];
  return lines.map((note) => (note.startsWith(CHANGES_RULES) ? `${note}; both versions count: ${outcome}` : note));
}

const describeBase = (version: VersionInspection): string =>
  `since this branch began, the branch it goes into has got other rules or settings; they count as well: ${describeOutcome(version)}`;

function describeOutcome({ name, inspection: { exit, findings } }: VersionInspection): string {
  const open = findings.filter(isOpen).length;
  return `${name} ${OUTCOMES[exit]} with ${open === 0 ? 'no finding' : formatCount(open, 'finding')}`;
}

const OUTCOMES = { 0: 'passes it', 1: 'does not pass it', 2: 'could not be applied to the end,' } as const;

/** Lists prose rules that no changed line was checked against, so that a pass claims nothing about them. */
export function listProseOnly(rules: readonly Rule[], { results }: Pick<Inspection, 'results'>): readonly string[] {
  const unlooked = new Set(results.filter(({ status }) => status === 'NOT_APPLICABLE').map(({ rule }) => rule));
  const left = rules.filter((rule) => unlooked.has(rule.id) && impliesPlan(rule)).map(({ id }) => id);
  if (left.length === 0) return [];
  return [
    `${left.length === 1 ? '1 rule is' : `${left.length} rules are`} prose that no line of a change was checked against: ${listNames(left)}; a \`match\` or a check does, andon check --plan holds plans against ${left.length === 1 ? 'it' : 'them'}`,
  ];
}

/** Puts together what two versions of a rulebook say of one change: nothing that either objects to is lost. */
function combineInspections(now: Inspection, before: Inspection): Inspection {
  const [first, second] = before.exit > now.exit ? [before, now] : [now, before];
  const known = new Set(first.results.map(({ rule }) => rule));
  return {
    ...now,
    mode: MODES.indexOf(before.mode) > MODES.indexOf(now.mode) ? before.mode : now.mode,
    threshold: Math.max(now.threshold, before.threshold),
    results: [...first.results, ...second.results.filter(({ rule }) => !known.has(rule))],
    findings: mergeFindings(first.findings, second.findings),
    score: Math.min(now.score, before.score),
    exit: first.exit,
    faults: [...now.faults, ...before.faults],
    warnings: unique([...now.warnings, ...before.warnings]),
    trace: [...now.trace, ...before.trace],
  };
}

/** Every finding once; where one of the two counts and the other does not, the one that counts. */
function mergeFindings(first: readonly RuleFinding[], second: readonly RuleFinding[]): readonly RuleFinding[] {
  const found = new Map(first.map((finding) => [finding.fingerprint, finding]));
  for (const finding of second) {
    const same = found.get(finding.fingerprint);
    if (same === undefined || (!isOpen(same) && isOpen(finding))) found.set(finding.fingerprint, finding);
  }
  return [...found.values()];
}

const unique = (sentences: readonly string[]): readonly string[] => [...new Set(sentences)];

/**
 * Counts the runs with a high score, and gives the sentence that suggests a stricter mode. The mode itself is never
 * changed. A damaged file restarts the count.
 */
function recordRun({ state, settings }: Workspace, inspection: Inspection): string | undefined {
  const { mode, score, results, exit } = inspection;
  if (exit === 2 || !isScored(inspection) || !results.some(({ status }) => status === 'PASS' || status === 'VIOLATED'))
    return undefined;
  const dir = openDir(state);
  const text = dir.text(FILE, LARGEST);
  const before = parseJsonObject<ScoreStreak>(text.ok ? (text.value ?? '') : '', ['mode', 'runs']);
  const streak = countStreak(typeof before?.runs === 'number' ? before : undefined, mode, score);
  dir.write(FILE, JSON.stringify(streak));
  const next = suggestPromotion(streak, settings.enforcement.autoPromote);
  return next === undefined
    ? undefined
    : `the last ${RUNS_FOR_PROMOTION} runs all scored above 90: andon rules enforce --mode ${next} would keep it so`;
}

const FILE = 'rule-runs.json';
const LARGEST = 1_000_000;

/** How many runs in a row had a high score under one mode. */
interface ScoreStreak {
  readonly mode: Mode;
  readonly runs: number;
}

export const countStreak = (before: ScoreStreak | undefined, mode: Mode, score: number): ScoreStreak => ({
  mode,
  runs: score > HIGH_SCORE ? (before?.mode === mode ? before.runs : 0) + 1 : 0,
});

/** The stricter mode to suggest, once per streak; otherwise undefined. */
export const suggestPromotion = ({ mode, runs }: ScoreStreak, autoPromote: boolean): Mode | undefined =>
  autoPromote && runs === RUNS_FOR_PROMOTION ? MODES[MODES.indexOf(mode) + 1] : undefined;

/** Number of consecutive runs that make a score steady. */
export const RUNS_FOR_PROMOTION = 5;

const HIGH_SCORE = 90;

/** Writes the violations of an inspection into the baseline of the work tree, with a sentence for the user. */
function updateBaseline(
  root: string,
  { findings, faults }: Inspection,
  subject: Subject,
): { readonly baseline: readonly BaselineEntry[]; readonly note: string } {
  const text = openWorkTree(root).text(BASELINE_FILE);
  const before = text === undefined ? { baseline: [], faults: [] } : readBaseline(BASELINE_FILE, text);
  const [fault] = [...before.faults.map(toInspectionFault), ...faults];
  if (fault !== undefined)
    throw new Problem('bad-configuration', `the baseline is not written: ${fault.where}: ${fault.what}`, fault.remedy);
  const here = findings.filter(
    ({ status, file, suppressed }) =>
      status === 'VIOLATED' && file !== undefined && (suppressed === undefined || suppressed.by === 'baseline'),
  );
  const taken = here.filter((finding) => !needsSignature(finding));
  const known = new Baseline(before.baseline, subject, findings);
  const baseline = [
    ...before.baseline.filter((entry) => !known.wasChecked(entry) && isThere(root, entry.path)),
    ...taken.map((finding) => known.newEntry(finding)),
  ];
  const written = writeBaseline(baseline);
  const [excess] = readBaseline(BASELINE_FILE, written).faults;
  if (excess !== undefined)
    throw new Problem(
      'bad-configuration',
      `the baseline is not written: ${excess.message}`,
      `waive the rules with most findings in ${WAIVERS_FILE}, with a path`,
    );
  withWriteErrors(BASELINE_FILE, () => openDir(root).write(BASELINE_FILE, written));
  const left = here.length - taken.length;
  const signed = `; ${left} of hard constraints or P0 rules ${left === 1 ? 'is' : 'are'} left out: those take a signed waiver`;
  const kept = `the baseline holds ${taken.length} finding${taken.length === 1 ? '' : 's'} of the checked files`;
  return { baseline, note: left === 0 ? kept : `${kept}${signed}` };
}
