import type { Claim } from './evidence.ts';

/** What is known of a change without asking anybody: commands that ran, what git says, files that were opened. */
export interface ReviewRecords {
  readonly runs: readonly {
    readonly command: string;
    readonly isGreen: boolean;
    /** How many tests passed, and of how many, where its output tells. */
    readonly passed?: number;
    readonly all?: number;
    /** A file that was changed after it: what it showed is of something else. */
    readonly changedSince?: string;
  }[];
  /** Undefined where nobody knows the change. */
  readonly diff?: { readonly files: readonly string[]; readonly added: number; readonly deleted: number };
  readonly read: readonly string[];
  /** Sums that git was seen to print, where nobody asked it. */
  readonly shown?: readonly { readonly added: number; readonly deleted: number }[];
}

/** The claims that the records bear out, and what in them the records contradict. */
export interface Held {
  readonly confirmed: readonly Claim[];
  readonly against: readonly string[];
}

/** Holds what a review claims against the records; a record of something red contradicts every approval. */
export function holdAgainst(claims: readonly Claim[], records: ReviewRecords): Held {
  const red = records.runs
    .filter(({ isGreen }) => !isGreen)
    .map(({ command }) => `the record shows that ${command} is red`);
  const answers = claims.map((claim) => ({ claim, answer: held(claim, records) }));
  return {
    confirmed: answers.flatMap(({ claim, answer }) => (answer === true ? [claim] : [])),
    against: [...red, ...answers.flatMap(({ answer }) => (typeof answer === 'string' ? [answer] : []))],
  };
}

/** True: the records show it; a text: they show otherwise; false: they do not know. */
function held(claim: Claim, { runs, diff, read, shown = [] }: ReviewRecords): true | false | string {
  if (claim.kind === 'run') {
    const counted = runs.filter(({ all }) => all !== undefined);
    const { ratio } = claim;
    if (
      ratio !== undefined &&
      counted.length > 0 &&
      counted.every(({ passed, all }) => passed !== ratio.passed || all !== ratio.all)
    )
      return `it says ${ratio.passed}/${ratio.all}, the record ${counted.map((one) => `${one.passed ?? '?'}/${one.all ?? '?'} in ${one.command}`).join(', ')}`;
    const most = Math.max(...counted.map(({ passed = 0 }) => passed));
    if (claim.passed !== undefined && counted.length > 0 && claim.passed > most)
      return `it says that ${claim.passed} passed, the record ${most}`;
    const green = runs.filter(({ isGreen, command }) => isGreen && mayShow(command, claim.text));
    const [stale] = green;
    if (stale !== undefined && green.every(({ changedSince }) => changedSince !== undefined))
      return `${stale.command} was green, but ${stale.changedSince ?? ''} was changed after it`;
    return green.length > 0;
  }
  const { diffstat } = claim;
  if (
    diffstat !== undefined &&
    diff !== undefined &&
    (diffstat.added !== diff.added || diffstat.deleted !== diff.deleted)
  )
    return `it says +${diffstat.added} -${diffstat.deleted}, git +${diff.added} -${diff.deleted}`;
  const known = [...(diff?.files ?? []), ...read];
  const foreign = claim.paths.filter((path) => !known.some((one) => isSame(one, path)));
  if (claim.paths.length > 0 && foreign.length === claim.paths.length && diff !== undefined)
    return `${foreign.join(', ')} is not in this change, and nothing shows that it was read`;
  if (diffstat !== undefined)
    return (
      diff !== undefined || shown.some(({ added, deleted }) => added === diffstat.added && deleted === diffstat.deleted)
    );
  return claim.paths.some((path) => read.some((one) => isSame(one, path)));
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

/** The same file, where one of them may be named by its end alone. */
const isSame = (one: string, other: string): boolean => {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const bare = short.replace(/^\.\//, '');
  return long === bare || long.endsWith(`/${bare}`);
};
