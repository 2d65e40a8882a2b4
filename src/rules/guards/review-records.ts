import { escapePattern } from '../../base/pattern.ts';
import type { Session } from '../session/session.ts';
import { type LineCounts, isSame } from './named-files.ts';
import type { EvidenceClaim } from './evidence-claim.ts';

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

/** The answer to a claim about a commit of another task: no evidence. */
function answerForeign({ text }: EvidenceClaim, { commits }: ReviewRecords): Answer | undefined {
  const hashes = text.match(HASHES) ?? [];
  if (commits !== undefined && hashes.length > 0 && !hashes.some((one) => commits.some((of) => of.startsWith(one))))
    return { is: 'unknown', why: `${hashes[0] ?? ''} is no commit of this task: ${text}` };
  return undefined;
}

/** Hexadecimal, with a digit and a letter. */
const HASHES = /(?<![\w./-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?![\w/-])/g;

function answerByRuns(claim: EvidenceClaim, { runs }: ReviewRecords): Answer {
  const { ratio, passed: claimed = ratio?.passed } = claim;
  const counted = runs.filter(({ passed }) => passed !== undefined);
  const isBorneOut = ({ passed, all }: CheckRun): boolean =>
    ratio === undefined
      ? claimed === undefined || (passed ?? 0) >= claimed
      : passed === ratio.passed && (all === undefined || all === ratio.all);
  const isSum = claimed === sumOf(counted) && !counted.some(({ command }) => isNamed(command, claim.text, claimed));
  if (claimed !== undefined && counted.length > 0 && !counted.some(isBorneOut) && !(isSum && isWhole(ratio))) {
    const counts = counted.map(
      ({ passed = 0, all, command }) => `${passed}${all === undefined ? '' : `/${all}`} in ${command}`,
    );
    const said = ratio === undefined ? `that ${claimed} passed` : `${ratio.passed}/${ratio.all}`;
    return against(`it says ${said}, the record ${counts.join(', ')}`);
  }
  const green = runs.filter(({ isGreen, command }) => isGreen && mayShow(command, claim.text));
  const [stale] = green;
  if (stale !== undefined && green.every(({ changedSince }) => changedSince !== undefined))
    return against(`${stale.command} was green, but ${stale.changedSince ?? ''} was changed after it`);
  return green.length > 0 ? { is: 'shown' } : unknown(claim);
}

/** Whether a claim gives its figure to a run by name; one that names none, or parts of the sum, may mean all together. */
function isNamed(command: string, claim: string, claimed: number): boolean {
  const [name = '', run = name] = command.toLowerCase().split(/ \(|\)/);
  const text = claim.toLowerCase();
  const called = new RegExp(
    `(?<!\\w|\\d )${escapePattern(name)}(?!\\w)|(?<!\\d)${claimed} ${escapePattern(name)}(?!\\w)`,
  );
  return text.includes(run) || (!/^tests?$/.test(name) && called.test(text));
}

/** Runs with the same count are of the same tests, unless their names tell two kinds. */
function sumOf(runs: readonly CheckRun[]): number {
  const own = runs.filter(
    (run, at) =>
      !runs.slice(0, at).some((one) => {
        const [kind, other] = [run, one].map(({ command }) => TEST_KIND.exec(command)?.[0].toLowerCase());
        return one.passed === run.passed && (kind === undefined || other === undefined || kind === other);
      }),
  );
  return own.reduce((sum, { passed = 0 }) => sum + passed, 0);
}
const TEST_KIND = /unit|integration|e2e|end-to-end|smoke|contract|component|acceptance/i;
const isWhole = (ratio: EvidenceClaim['ratio']): boolean => ratio === undefined || ratio.passed === ratio.all;

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
