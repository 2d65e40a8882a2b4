import { extractFailures } from '../../base/failure-excerpt.ts';
import { hasTestsToCompare, type BaseRed } from '../record/base-run.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { toBranchName } from '../../base/names.ts';
import type { Path } from '../record/trip.ts';
import type { Breaker } from './breaker.ts';

/** Characters of a gate's output in the implementer's brief. */
const TOLD = 2000;

/** A gate that is not green before the change proves nothing about it: a person rules on it first. */
export const baseRed: Breaker = {
  question: 'Is a gate of the project red or flaky on the base, without a decision to go on anyway?',
  check(record) {
    const { lastFacts, target } = record;
    const { baseRed: red } = lastFacts;
    if (red === undefined) return undefined;
    const on = `${toBranchName(target)} (${red.commit.slice(0, 12)})`;
    const says = red.output.trim() === '' ? '(it printed nothing)' : red.output;
    return {
      reason: `gate ${red.gate} is ${red.outcome} on ${on}, before any change`,
      sides: [
        { who: `gate ${red.gate}, \`${red.run}\`, exit ${red.exit ?? 'none'}`, says },
        { who: toBranchName(target), says: [describeRed(red), ...describeOthers(red)].join('\n') },
      ],
      paths: [makeGreen(red, record), hasTestsToCompare(red) ? compare(red, record) : askAgain(red, record)],
    };
  },
};

const describeRed = ({ outcome, tests }: BaseRed): string =>
  [
    outcome === 'flaky'
      ? 'It ran twice on the same tree: red, then green. Flaky is neither.'
      : 'It ran twice on the same tree, and was red both times.',
    ...(tests === undefined
      ? []
      : [`By its results (${tests.format}): ${tests.passed} passed, ${tests.failed} failed.`]),
  ].join(' ');

const describeOthers = ({ also }: BaseRed): readonly string[] =>
  also.length === 0 ? [] : [`Not green there either, and asked about next: ${also.join(', ')}.`];

/** The line continues at the implementer, or at the gates of an existing change. */
const continueFrom = ({ lastFacts, onlyGates }: TaskRecord) => ({
  to: 'pending_implementer' as const,
  ...(lastFacts.change !== undefined || onlyGates ? { onlyGates: true } : {}),
});

function makeGreen(red: BaseRed, record: TaskRecord): Path {
  const { gate, run, tree, output } = red;
  return {
    title: 'Make it green in this task',
    does: `The brief asks the implementer for it. Gate ${gate} must be green after the change, or nothing is merged.`,
    effect: {
      ...continueFrom(record),
      gates: [{ gate, run, tree, way: 'made green' }],
      say: makeItGreen({ gate, run, output }),
    },
  };
}

export const makeItGreen = ({ gate, run, output }: Pick<BaseRed, 'gate' | 'run' | 'output'>): string =>
  `Gate ${gate} (${run}) is not green on the base, before any change of yours. Make it green as well. It printed:\n${extractFailures(output, TOLD)}`;

function compare({ gate, run, tree, tests }: BaseRed, record: TaskRecord): Path {
  return {
    title: 'Compare it test by test',
    does: `Gate ${gate} may stay red, but ${keepPassing(tests?.passed ?? 0)} after the change. The merge says so.`,
    effect: { ...continueFrom(record), gates: [{ gate, run, tree, way: 'test by test' }] },
  };
}

const NO_RESULTS =
  'andon finds no test results. Let the gate print TAP, JUnit XML or JSON, or name such a file as `results`';

function askAgain({ unwritten }: BaseRed, record: TaskRecord): Path {
  const target = toBranchName(record.target);
  return {
    title: `Ask ${target} again`,
    does: `Mend ${target} or the setup first: the gate runs again there. It cannot be compared test by test, because ${unwritten === undefined ? NO_RESULTS : `the gate did not write its \`results\`, ${unwritten}`}.`,
    effect: { ...continueFrom(record), gates: [] },
  };
}

const keepPassing = (passed: number): string =>
  passed === 1
    ? 'the one test that passes now may not be red or missing'
    : `none of the ${passed} tests that pass now may be red or missing`;
