import { basename } from 'node:path';
import type { LlmSettings } from '../config/llm-settings.ts';
import { failure, success } from '../base/outcome.ts';
import { takeOutside } from '../wiring/outside-call.ts';
import { homeOf, openLedgerIfPossible } from '../wiring/open-ledger.ts';
import type { Place } from '../wiring/open-place.ts';
import type { Purse } from './ask-politely.ts';

/**
 * What the user's ceilings leave for the questions of one run. Without a ceiling nothing is refused, and where nothing can
 * be kept (a CI machine without a home) nothing is counted either.
 */
export function purseOf({ state, settings }: Pick<Place, 'state' | 'settings'>, llm: LlmSettings): Purse {
  const ledger = openLedgerIfPossible(homeOf({ state }));
  const { ceilings } = settings;
  const hasNone = Object.keys(ceilings.all).length + Object.keys(ceilings.accounts).length === 0;
  return ({ tokens, usd }) => {
    if (ledger === undefined)
      return hasNone ? success(() => {}) : failure('the ledger that your ceilings rest on cannot be opened');
    const minutes = llm.timeoutMs / 60_000;
    const wanted = {
      account: llm.provider,
      isFree: llm.provider === 'ollama',
      isUnpriced: llm.usdPerMillion === undefined,
      usd,
      tokens,
      window: tokens,
      minutes,
      least: { usd, tokens, minutes },
    };
    const taken = takeOutside(
      { limits: () => settings, ledger },
      { state: basename(state), station: 'llm' },
      wanted,
      new Date().toISOString(),
    );
    return taken.ok ? success(taken.value.came) : failure(taken.why.reason);
  };
}
