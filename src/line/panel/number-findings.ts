import type { CitedFinding } from '../../record/panel.ts';
import type { PanelTurn } from '../../record/panel-turn.ts';

/** A finding of the first round, with its number for the second. */
export interface NumberedFinding {
  readonly id: string;
  readonly reviewer: string;
  readonly finding: CitedFinding;
}

/** The findings of the first round in an order that hides their authors and the order of calls. */
export const numberFindings = (turns: readonly PanelTurn[]): readonly NumberedFinding[] =>
  turns
    .filter(({ round }) => round === 1)
    .flatMap(({ reviewer, findings = [] }) => findings.map((finding) => ({ reviewer, finding, key: keyOf(finding) })))
    .toSorted((a, b) => compare(a.key, b.key) || compare(a.reviewer, b.reviewer))
    .map(({ reviewer, finding }, at) => ({ id: `F${at + 1}`, reviewer, finding }));

const keyOf = ({ file, line, description, quote }: CitedFinding): string =>
  JSON.stringify([file, String(line ?? 0).padStart(9, '0'), description, quote]);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Lines this close count as one place. */
const SAME_PLACE_LINES = 3;

export const isSamePlace = (one: CitedFinding, other: CitedFinding): boolean =>
  one.file === other.file &&
  (one.line === null || other.line === null
    ? one.quote === other.quote
    : Math.abs(one.line - other.line) <= SAME_PLACE_LINES);
