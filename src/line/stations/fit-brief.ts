import type { Outcome } from '../../base/outcome.ts';
import { failure, success } from '../../base/outcome.ts';
import { BYTES_PER_TOKEN } from '../../base/tokens.ts';

/** Something a brief would like to show: in its first version if that fits, else in the next, else not at all. */
export interface Offer {
  readonly name: string;
  readonly versions: readonly string[];
}

/** Tokens that a prompt may have: `room` in any case, `comfort` with everything that is merely offered. */
export interface Limits {
  readonly room: number;
  readonly comfort: number;
}

/** What fits: for each offer the number of the version that is shown; undefined = none. */
export interface Fitting {
  readonly versions: ReadonlyMap<Offer, number | undefined>;
  /** Bytes that a last word may still have. */
  readonly bytesLeft: number;
}

/** What stands between two parts of a prompt. */
export const SEPARATOR = '\n\n';

/** Chooses what fits beside the parts that must be there; offers come in the order of their worth. */
export function fitOffers(
  always: readonly string[],
  offers: readonly Offer[],
  { room, comfort }: Limits,
): Outcome<Fitting, { readonly needs: number }> {
  const needed = always.reduce((sum, part) => sum + bytesOf(part), 0);
  const bytes = room * BYTES_PER_TOKEN;
  if (needed > bytes) return failure({ needs: Math.ceil(needed / BYTES_PER_TOKEN) });
  const lastWord = Math.min(LAST_WORD, Math.floor(bytes * LAST_WORD_SHARE));
  let left = Math.min(bytes, comfort * BYTES_PER_TOKEN) - needed - lastWord;
  let used = needed;
  const versions = new Map<Offer, number | undefined>();
  for (const offer of offers) {
    let size = 0;
    const version = offer.versions.findIndex((text) => {
      size = bytesOf(text);
      return size <= left;
    });
    versions.set(offer, version === -1 ? undefined : version);
    if (version === -1) continue;
    left -= size;
    used += size;
  }
  return success({ versions, bytesLeft: Math.min(bytes - used, LAST_WORD) });
}

/** The bytes of a part with what separates it from the next. */
export const bytesOf = (part: string): number => encoder.encode(part).length + SEPARATOR.length;

const encoder = new TextEncoder();
/** Bytes kept free for the list of what is not shown, and their share of a small room. */
const LAST_WORD = 1500;
const LAST_WORD_SHARE = 0.1;
