import { isSame } from './cited.ts';
import { strangeCommand, strangeHashes } from './cited-run.ts';
import type { Claim } from './evidence.ts';
import type { ReviewRecords } from './review-records.ts';

/** The claims that the records bear out, what in them the records contradict, and why others show nothing. */
export interface Held {
  readonly confirmed: readonly Claim[];
  readonly against: readonly string[];
  readonly unknown: readonly string[];
}

/** Holds what a review claims against the records; a record of something red contradicts every approval. */
export function holdAgainst(claims: readonly Claim[], records: ReviewRecords): Held {
  const red = records.runs
    .filter(({ isGreen }) => !isGreen)
    .map(({ command }) => `the record shows that ${command} is red`);
  const answers = claims.map((claim) => ({ claim, answer: strange(claim, records) ?? held(claim, records) }));
  const why = (is: 'against' | 'unknown'): readonly string[] =>
    answers.flatMap(({ answer }) => (answer.is === is ? [answer.why] : []));
  return {
    confirmed: answers.flatMap(({ claim, answer }) => (answer.is === 'shown' ? [claim] : [])),
    against: [...red, ...why('against')],
    unknown: why('unknown'),
  };
}

type Answer = { readonly is: 'shown' } | { readonly is: 'against' | 'unknown'; readonly why: string };
const SHOWN: Answer = { is: 'shown' };
const against = (why: string): Answer => ({ is: 'against', why });
const unknown = (claim: Claim): Answer => ({ is: 'unknown', why: `nothing on record shows it: ${claim.text}` });

/** What names a commit or a command that is not of this task is no evidence. */
function strange({ kind, text }: Claim, records: ReviewRecords): Answer | undefined {
  const [hash] = strangeHashes(text, records);
  if (hash !== undefined) return { is: 'unknown', why: `${hash} is no commit of this task: ${text}` };
  const command = kind === 'run' ? strangeCommand(text, records) : undefined;
  return command === undefined ? undefined : { is: 'unknown', why: `no ${command} on record: ${text}` };
}

const held = (claim: Claim, records: ReviewRecords): Answer =>
  claim.kind === 'run' ? heldRun(claim, records) : heldLook(claim, records);

function heldRun(claim: Claim, { runs }: ReviewRecords): Answer {
  const { ratio } = claim;
  const counted = runs.filter(({ passed }) => passed !== undefined);
  const isCounted = ({ passed, all }: (typeof runs)[number]): boolean =>
    ratio === undefined || (passed === ratio.passed && (all === undefined || all === ratio.all));
  if (ratio !== undefined && counted.length > 0 && !counted.some(isCounted))
    return against(
      `it says ${ratio.passed}/${ratio.all}, the record ${counted.map(({ passed = '?', all, command }) => `${all === undefined ? passed : `${passed}/${all}`} in ${command}`).join(', ')}`,
    );
  const most = Math.max(...counted.map(({ passed = 0 }) => passed));
  if (claim.passed !== undefined && counted.length > 0 && claim.passed > most)
    return against(`it says that ${claim.passed} passed, the record ${most}`);
  const green = runs.filter(({ isGreen, command }) => isGreen && mayShow(command, claim.text));
  const [stale] = green;
  if (stale !== undefined && green.every(({ changedSince }) => changedSince !== undefined))
    return against(`${stale.command} was green, but ${stale.changedSince ?? ''} was changed after it`);
  return green.length > 0 ? SHOWN : unknown(claim);
}

function heldLook(claim: Claim, { diff, read, shown = [] }: ReviewRecords): Answer {
  const { diffstat } = claim;
  const isOther = diff !== undefined && (diffstat?.added !== diff.added || diffstat.deleted !== diff.deleted);
  if (diffstat !== undefined && diff !== undefined && isOther)
    return against(`it says +${diffstat.added} -${diffstat.deleted}, git +${diff.added} -${diff.deleted}`);
  const known = [...(diff?.files ?? []), ...read];
  const foreign = claim.paths.filter((path) => !known.some((one) => isSame(one, path)));
  if (claim.paths.length > 0 && foreign.length === claim.paths.length && diff !== undefined)
    return against(`${foreign.join(', ')} is not in this change, and nothing shows that it was read`);
  const isShown =
    diffstat === undefined
      ? claim.paths.some((path) => read.some((one) => isSame(one, path)))
      : diff !== undefined ||
        shown.some(({ added, deleted }) => added === diffstat.added && deleted === diffstat.deleted);
  return isShown ? SHOWN : unknown(claim);
}

/** Whether a run can show what is claimed: `npm run lint` says nothing of tests. What tells no kind may be of any. */
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
