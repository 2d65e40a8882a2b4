import type { Session } from '../session/session.ts';
import { type LineCounts, isSame } from './named-files.ts';
import type { EvidenceClaim } from './review-evidence.ts';
import { escapePattern } from '../../base/pattern.ts';

/** The facts that are known of a change without asking an agent, as of a session: runs, the diff, opened files. */
export interface ReviewRecords extends Pick<Session, 'read' | 'changed'> {
  /** With the output, as far as it was kept. */
  readonly runs: readonly (Session['runs'][number] & { readonly output?: string })[];
  /** Sums of a change that git printed in a session. */
  readonly shown?: Session['shown'];
  /** Commits and trees of this task; undefined where they are not all known. */
  readonly commits?: readonly string[];
  /** Of the cited files, in the tree of the change; undefined where they were not counted. */
  readonly lines?: LineCounts | undefined;
  readonly diff?: { readonly files: readonly string[]; readonly added: number; readonly deleted: number };
}

/**
 * Compares the claims of a review with the records: those confirmed, and why others are contradicted (`against`) or not
 * shown (`unknown`). A red run contradicts every approval.
 */
export function compareWithRecords(claims: readonly EvidenceClaim[], records: ReviewRecords) {
  const red = records.runs
    .filter(({ isGreen }) => !isGreen)
    .map(({ command }) => `the record shows that ${command} is red`);
  const answers = claims.map((claim) => ({ claim, answer: answerForeign(claim, records) ?? answerTo(claim, records) }));
  const why = (is: 'against' | 'unknown'): readonly string[] =>
    answers.flatMap(({ answer }) => (answer.is === is ? [answer.why] : []));
  return {
    confirmed: answers.flatMap(({ claim, answer }) => (answer.is === 'shown' ? [claim] : [])),
    against: [...red, ...why('against')],
    unknown: why('unknown'),
  };
}

type CheckRun = ReviewRecords['runs'][number];
type Answer = { readonly is: 'shown' } | { readonly is: 'against' | 'unknown'; readonly why: string };
const against = (why: string): Answer => ({ is: 'against', why });
const unknown = (claim: EvidenceClaim): Answer => ({ is: 'unknown', why: `nothing on record shows it: ${claim.text}` });

const answerTo = (claim: EvidenceClaim, records: ReviewRecords): Answer =>
  claim.kind === 'run'
    ? answerByRuns(claim, records)
    : claim.kind === 'figure'
      ? unknown(claim)
      : answerByReading(claim, records);

/** The answer to a claim about a commit or command of another task: no evidence. */
function answerForeign({ kind, text }: EvidenceClaim, { commits, runs }: ReviewRecords): Answer | undefined {
  const hashes = text.match(HASHES) ?? [];
  if (commits !== undefined && hashes.length > 0 && !hashes.some((one) => commits.some((of) => of.startsWith(one))))
    return { is: 'unknown', why: `${hashes[0] ?? ''} is no commit of this task: ${text}` };
  const command = kind === 'run' ? COMMAND.exec(text)?.[0].toLowerCase() : undefined;
  const logs = runs.map((run) => `${run.command}\n${run.output ?? ''}`.toLowerCase());
  if (command === undefined || logs.some((log) => log.includes(command) || WRAPPER.test(log))) return undefined;
  const tools = logs.flatMap((log) => toolOf(log) ?? []);
  return tools.length > 0 && (!tools.includes(toolOf(command) ?? '') || command.includes(' run '))
    ? { is: 'unknown', why: `no ${command} on record: ${text}` }
    : undefined;
}

/** Hexadecimal, with a digit and a letter. */
const HASHES = /(?<![\w./-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?![\w/-])/g;
/** A command that runs checks, as reviews name it, by its tool. */
const COMMAND =
  /(?<![\w.-])(?:(?<node>(?:npm|pnpm|yarn|bun) (?:run [\w:-]+|(?:test|t)(?!\w))|(?:npx|node|deno) \S+|vitest|jest|mocha|tsc|eslint)|(?<python>pytest|ruff|mypy|pyright)|(?<cargo>cargo \w+)|(?<go>go (?:test|vet|build|run)(?!\w))|(?<jvm>(?:\.\/)?(?:gradlew?|mvnw?) [\w:-]+)|(?<dotnet>dotnet \w+)|(?<ruby>rspec|rake \w+|bundle exec \w+))(?![\w-])/i;
const toolOf = (text: string): string | undefined =>
  Object.entries(COMMAND.exec(text)?.groups ?? {}).find(([, found]) => found !== undefined)?.[0];
/** A script or a build tool may run any other command. */
const WRAPPER = /(?<![\w-])(?:make|just|task|sh|bash|docker|nox|tox|bazel)(?![\w-])|\.sh(?!\w)/;

function answerByRuns(claim: EvidenceClaim, { runs }: ReviewRecords): Answer {
  const { ratio, passed: claimed } = claim;
  const counted = runs.filter(({ passed }) => passed !== undefined);
  const sum = counted.some((run) => isNamed(run, claim.text)) ? [] : sumOf(counted);
  const isSameRatio = ({ passed, all }: Pick<CheckRun, 'passed' | 'all'>): boolean =>
    ratio === undefined || (passed === ratio.passed && (all === undefined || all === ratio.all));
  if (ratio !== undefined && counted.length > 0 && ![...counted, ...sum].some(isSameRatio)) {
    const counts = counted.map(({ passed = 0, all, command }) =>
      all === undefined ? `${passed} in ${command}` : `${passed}/${all} in ${command}`,
    );
    return against(`it says ${ratio.passed}/${ratio.all}, the record ${counts.join(', ')}`);
  }
  const most = Math.max(...counted.map(({ passed = 0 }) => passed));
  const together = sum[0]?.passed;
  if (claimed !== undefined && counted.length > 0 && claimed > most && claimed !== together)
    return against(
      `it says that ${claimed} passed, the record ${most}${together === undefined ? '' : ` in one run, ${together} in all`}`,
    );
  const green = runs.filter(({ isGreen, command }) => isGreen && mayShow(command, claim.text));
  const [stale] = green;
  if (stale !== undefined && green.every(({ changedSince }) => changedSince !== undefined))
    return against(`${stale.command} was green, but ${stale.changedSince ?? ''} was changed after it`);
  return green.length > 0 ? { is: 'shown' } : unknown(claim);
}

/** Whether a claim is about one run by its command or name, and not about all of them. */
function isNamed({ command }: CheckRun, claim: string): boolean {
  const [, name = command] = NAMED_RUN.exec(command) ?? [];
  const run = commandOf(command);
  const names = ANY_TESTS.test(name) ? [run] : [name, run];
  return names.some((one) => new RegExp(`(?<![\\w-])${escapePattern(one)}(?![\\w-])`, 'i').test(claim));
}

/** `gate (command)`. */
const NAMED_RUN = /^(.*?) \((.*)\)$/s;
const commandOf = (command: string): string => NAMED_RUN.exec(command)?.[2] ?? command;

/** Where a command runs: the option of a workspace or folder with its value, or a path. */
const PLACE = /\s(?:--(?:workspace|prefix|filter|cwd|dir)(?:=|\s+)\S+|-[wCF]\s+\S+|\S*\/\S*)/g;

/** These words mean tests in general, so they do not name a gate. */
const ANY_TESTS = /^(?:unit )?(?:tests?|checks?)$/i;

/**
 * What one command would count that ran the tests of all workspaces; empty where the runs are not one command in several
 * folders, since two commands may run the same tests.
 */
function sumOf(runs: readonly CheckRun[]): readonly Pick<CheckRun, 'passed' | 'all'>[] {
  const commands = new Set(runs.map(({ command }) => commandOf(command).replace(PLACE, '').trim()));
  const places = runs.map(({ command }) => (commandOf(command).match(PLACE) ?? []).join('').trim());
  const isApart = places.every(
    (place, at) => place !== '' && places.every((other, to) => at === to || !other.startsWith(place)),
  );
  if (runs.length < 2 || commands.size > 1 || !isApart) return [];
  const add = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  const passed = add(runs.map((run) => run.passed ?? 0));
  const all = runs.flatMap((run) => run.all ?? []);
  return [all.length === runs.length ? { passed, all: add(all) } : { passed }];
}

function answerByReading(claim: EvidenceClaim, { diff, read, shown = [] }: ReviewRecords): Answer {
  const { diffstat, paths } = claim;
  const isOther = diff !== undefined && (diffstat?.added !== diff.added || diffstat.deleted !== diff.deleted);
  if (diffstat !== undefined && diff !== undefined && isOther)
    return against(`it says +${diffstat.added} -${diffstat.deleted}, git +${diff.added} -${diff.deleted}`);
  const known = [...(diff?.files ?? []), ...read];
  const unread = paths.filter((path) => !known.some((one) => isSame(one, path)));
  if (paths.length > 0 && unread.length === paths.length && diff !== undefined)
    return against(`${unread.join(', ')} is not in this change, and nothing shows that it was read`);
  const isShown =
    diffstat === undefined
      ? paths.some((path) => read.some((one) => isSame(one, path)))
      : diff !== undefined ||
        shown.some(({ added, deleted }) => added === diffstat.added && deleted === diffstat.deleted);
  return isShown ? { is: 'shown' } : unknown(claim);
}

/** Whether a run can show a claim: `npm run lint` says nothing of tests. An unknown kind may show any. */
function mayShow(command: string, claim: string): boolean {
  const [checked, claimed] = [kindsOf(command), kindsOf(claim)];
  return checked.length === 0 || claimed.length === 0 || claimed.some((kind) => checked.includes(kind));
}

const KINDS: Readonly<Record<string, RegExp>> = {
  tests:
    /(?<![a-z])(?:(?:py|vi|unit|nex)?tests?|specs?|suites?)(?![a-z])|jest|mocha|rspec|junit|phpunit|테스트|测试|用例|单测/i,
  build: /\bbuild|compil|빌드|컴파일|构建|编译/i,
  lint: /lint|ruff|clippy|린트|静态检查/i,
  types: /\btsc\b|type-? ?check|\btypes\b|mypy|pyright|타입|类型/i,
};
const kindsOf = (text: string): readonly string[] =>
  Object.entries(KINDS).flatMap(([kind, words]) => (words.test(text) ? [kind] : []));
