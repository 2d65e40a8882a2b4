import { aContract } from './contract.ts';
import type { Factory } from './factory.ts';
import { issue, judges } from './scenario.ts';

/** A judge who turns the change down. */
export const FAILS = judges('FAIL', { blocking_issues: [issue('the second document is not in it')] });

/** A contract with a budget of so much. */
export const usd = (limit: number) => aContract({ 'limits.budget': { usd: limit } });
export const minutes = (limit: number) => aContract({ 'limits.budget': { minutes: limit } });
export const tokens = (limit: number) => aContract({ 'limits.budget': { tokens: limit } });

/** What the judge was told to spend at the most, call by call. */
export const toldCaps = (factory: Factory): readonly (string | undefined)[] =>
  factory.calls('judge').map(({ argv }) => argv[argv.indexOf('--max-budget-usd') + 1]);

/** The report of the halt, in which the sums stand. */
export const ledger = (factory: Factory): string => (factory.paper('ERIK_HALT.md') ?? '').replaceAll('\\', '');
