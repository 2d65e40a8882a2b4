import { STANDARD_MESSAGES } from '../../src/rule-model/message-settings.ts';
import { ownWords } from '../../src/rules/guards/praise.ts';
import { validateResponse } from '../../src/rules/guards/response-validator.ts';
import { checkReview } from '../../src/rules/guards/review-gate.ts';
import { learn } from './learn.ts';
import type { TaughtRow } from './rows.ts';

/** Files whose author wrote another one as well: neither is measured by what the other one taught. */
const SIBLINGS: readonly (readonly string[])[] = [
  ['voices', 'metaphors'],
  ['border', 'reviews'],
  ['third', 'fourth', 'fifth'],
];

/** Prints for each file what is read rightly in it when it was not learned from, with the rules as they stand. */
export function tellUnseen(rows: readonly TaughtRow[]): void {
  const all: Outcome[] = [];
  for (const file of new Set(rows.map((row) => row.file))) {
    const family = SIBLINGS.find((one) => one.includes(file)) ?? [file];
    const outcomes = measured(
      rows.filter((row) => !family.includes(row.file)),
      rows.filter((row) => row.file === file),
    );
    process.stdout.write(`${file}: ${told(outcomes)}\n`);
    all.push(...outcomes);
  }
  process.stdout.write(`all: ${told(all)}\n`);
}

interface Outcome extends Pick<TaughtRow, 'kind' | 'isRefused'> {
  readonly refused: boolean;
}

function measured(taught: readonly TaughtRow[], asked: readonly TaughtRow[]): readonly Outcome[] {
  const { empty, ...heads } = learn(taught);
  return asked.map(({ kind, text, isRefused }) => ({
    kind,
    isRefused,
    refused:
      kind === 'review'
        ? !checkReview(text, STANDARD_MESSAGES.reviewGate, undefined, heads).accepted
        : !validateResponse(text, STANDARD_MESSAGES.responseValidator, ownWords([], []), empty).valid,
  }));
}

function told(outcomes: readonly Outcome[]): string {
  const percent = (some: readonly unknown[], of: readonly unknown[]): string =>
    of.length === 0 ? '–' : `${((100 * some.length) / of.length).toFixed(1)} %`;
  const right = (kind: TaughtRow['kind']): string => {
    const mine = outcomes.filter((one) => one.kind === kind);
    return percent(
      mine.filter((one) => one.refused === one.isRefused),
      mine,
    );
  };
  const honest = outcomes.filter(({ isRefused }) => !isRefused);
  const refused = honest.filter((one) => one.refused);
  return `validator right ${right('message')}, gate right ${right('review')}, honest ones refused ${percent(refused, honest)}`;
}
