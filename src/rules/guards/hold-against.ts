import type { Session } from '../../session/session.ts';
import type { EvidenceClaim } from './evidence.ts';
import { isSame } from './named-files.ts';

/** The facts that are known of a change without asking an agent, as of a session: runs, the diff, opened files. */
export interface ReviewRecords extends Pick<Session, 'read' | 'changed' | 'runs'> {
  readonly diff?: { readonly files: readonly string[]; readonly added: number; readonly deleted: number };
}

/** The claims that the records confirm, and why they contradict or do not show others. */
export interface HeldClaims {
  readonly confirmed: readonly EvidenceClaim[];
  readonly against: readonly string[];
  readonly unknown: readonly string[];
}

/** Compares the claims of a review with the records; a red run contradicts every approval. */
export function holdAgainst(claims: readonly EvidenceClaim[], records: ReviewRecords): HeldClaims {
  const red = records.runs
    .filter(({ isGreen }) => !isGreen)
    .map(({ command }) => `the record shows that ${command} is red`);
  const answers = claims.map((claim) => ({ claim, answer: answerTo(claim, records) }));
  const why = (is: 'against' | 'unknown'): readonly string[] =>
    answers.flatMap(({ answer }) => (answer.is === is ? [answer.why] : []));
  return {
    confirmed: answers.flatMap(({ claim, answer }) => (answer.is === 'shown' ? [claim] : [])),
    against: [...red, ...why('against')],
    unknown: why('unknown'),
  };
}

type Answer = { readonly is: 'shown' } | { readonly is: 'against' | 'unknown'; readonly why: string };
const against = (why: string): Answer => ({ is: 'against', why });
const unknown = (claim: EvidenceClaim): Answer => ({ is: 'unknown', why: `nothing on record shows it: ${claim.text}` });

const answerTo = (claim: EvidenceClaim, records: ReviewRecords): Answer =>
  claim.kind === 'run' ? ofRun(claim, records) : claim.kind === 'figure' ? unknown(claim) : ofLook(claim, records);

function ofRun(claim: EvidenceClaim, { runs }: ReviewRecords): Answer {
  const { ratio, passed: claimed } = claim;
  const counted = runs.filter(({ passed }) => passed !== undefined);
  const isSameRatio = ({ passed, all }: ReviewRecords['runs'][number]): boolean =>
    ratio === undefined || (passed === ratio.passed && (all === undefined || all === ratio.all));
  if (ratio !== undefined && counted.length > 0 && !counted.some(isSameRatio)) {
    const counts = counted.map(({ passed = 0, all, command }) =>
      all === undefined ? `${passed} in ${command}` : `${passed}/${all} in ${command}`,
    );
    return against(`it says ${ratio.passed}/${ratio.all}, the record ${counts.join(', ')}`);
  }
  const most = Math.max(...counted.map(({ passed = 0 }) => passed));
  if (claimed !== undefined && counted.length > 0 && claimed > most)
    return against(`it says that ${claimed} passed, the record ${most}`);
  const green = runs.filter(({ isGreen, command }) => isGreen && mayShow(command, claim.text));
  const [stale] = green;
  if (stale !== undefined && green.every(({ changedSince }) => changedSince !== undefined))
    return against(`${stale.command} was green, but ${stale.changedSince ?? ''} was changed after it`);
  return green.length > 0 ? { is: 'shown' } : unknown(claim);
}

function ofLook(claim: EvidenceClaim, { diff, read }: ReviewRecords): Answer {
  const { diffstat, paths } = claim;
  const isOther = diff !== undefined && (diffstat?.added !== diff.added || diffstat.deleted !== diff.deleted);
  if (diffstat !== undefined && diff !== undefined && isOther)
    return against(`it says +${diffstat.added} -${diffstat.deleted}, git +${diff.added} -${diff.deleted}`);
  const known = [...(diff?.files ?? []), ...read];
  const foreign = paths.filter((path) => !known.some((one) => isSame(one, path)));
  if (paths.length > 0 && foreign.length === paths.length && diff !== undefined)
    return against(`${foreign.join(', ')} is not in this change, and nothing shows that it was read`);
  const hasRead = paths.length === 0 ? read.length > 0 : paths.some((path) => read.some((one) => isSame(one, path)));
  const isShown = diffstat === undefined ? paths.length > 0 && hasRead : diff !== undefined || hasRead;
  return isShown ? { is: 'shown' } : unknown(claim);
}

/** Whether a run can show a claim: `npm run lint` says nothing of tests. An unknown kind may show any. */
function mayShow(command: string, claim: string): boolean {
  const [ran, claimed] = [kindsOf(command), kindsOf(claim)];
  return ran.length === 0 || claimed.length === 0 || claimed.some((kind) => ran.includes(kind));
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
