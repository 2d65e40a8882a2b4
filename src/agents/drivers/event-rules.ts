import type { AgentUsage } from '../agent.ts';
import type { DriverOutput, FieldPath } from '../../project/config/driver-output.ts';

type UsageRule = Omit<NonNullable<DriverOutput['usage']>, 'where' | 'requests'>;

/** Usage so far, and how many of the read tokens came from a cache. */
export interface UsageCount extends AgentUsage {
  readonly cached: number | null;
}

export const NOTHING_COUNTED: UsageCount = { tokensIn: null, cached: null, tokensOut: null, usd: null };

/** Whether an event has every field of a rule. */
export const matchesEvent = (event: unknown, where: FieldPath): boolean =>
  Object.entries(where).every(([path, wanted]) => {
    const found = valueAt(event, path);
    return [wanted].flat().some((one) => one === (found ?? null));
  });

/** The first of some fields that has a value. */
export function findFirstValue(event: unknown, paths: string | readonly string[]): unknown {
  for (const path of [paths].flat()) {
    const found = valueAt(event, path);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** The elements of a list in an event; none where it is no list. */
export function listAt(event: unknown, path: string): readonly unknown[] {
  const found = valueAt(event, path);
  return Array.isArray(found) ? found : [];
}

/** Data as text: a string unchanged, anything else as JSON. */
export const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The usage in one event; null where it is missing or impossible. */
export function countEventUsage(event: unknown, usage: UsageRule): UsageCount {
  const sum = (paths: string | readonly string[] | undefined): number | null => {
    const amounts = [paths ?? []].flat().flatMap((path) => listValues(event, path).filter(isFigure));
    return amounts.length === 0 ? null : amounts.reduce((total, amount) => total + amount, 0);
  };
  const [tokensIn, total] = [sum(usage.in), sum(usage.total)];
  const rest = tokensIn === null || total === null ? null : total - tokensIn;
  const tokensOut = rest === null ? sum(usage.out) : Math.max(rest, sum(usage.out) ?? 0);
  const isUnpriced = Object.entries(usage.no_price ?? {}).some(([path, wanted]) =>
    listValues(event, path).some((found) => [wanted].flat().some((one) => one === found)),
  );
  return { tokensIn, cached: sum(usage.cached), tokensOut, usd: isUnpriced ? null : sum(usage.usd) };
}

/** Two usages as one; by default their sum, in which a figure missing in both stays unknown. */
export const addCounts = (one: UsageCount, other: UsageCount, add = addKnown): UsageCount => ({
  tokensIn: add(one.tokensIn, other.tokensIn),
  cached: add(one.cached, other.cached),
  tokensOut: add(one.tokensOut, other.tokensOut),
  usd: add(one.usd, other.usd),
});

/** The sum of two figures; null where neither is known. */
export const addKnown = (one: number | null, other: number | null): number | null =>
  one === null && other === null ? null : (one ?? 0) + (other ?? 0);

/** The value at a path of plain names with dots between them. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) here = getOwnValue(here, name);
  return here;
}

/** An own property of a value; inherited names are ignored. */
export const getOwnValue = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** A figure of an event; null where it is missing or impossible. */
export function figureAt(event: unknown, path: string): number | null {
  const value = valueAt(event, path);
  return isFigure(value) ? value : null;
}

const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** The values at a path in which `*` is every key of a map. */
function listValues(value: unknown, path: string): readonly unknown[] {
  let here: readonly unknown[] = [value];
  for (const name of path.split('.'))
    here = here.flatMap((one) =>
      name === '*' ? (typeof one === 'object' && one !== null ? Object.values(one) : []) : [getOwnValue(one, name)],
    );
  return here;
}
