import { failure, success, type Outcome } from '../../base/outcome.ts';
import { BYTES_PER_TOKEN } from '../../base/tokens.ts';

/** An optional part of a brief, in versions of falling size; the first that fits is used. */
export interface Offer {
  readonly name: string;
  readonly versions: readonly string[];
}

/** The token limits of a prompt: `room` is hard, `comfort` is the limit with optional parts. */
export interface TokenLimits {
  readonly room: number;
  readonly comfort: number;
}

/** The version of each offer that fits; undefined = none. */
export interface Fitting {
  readonly versions: ReadonlyMap<Offer, number | undefined>;
  /** Bytes left for a final note. */
  readonly bytesLeft: number;
}

/** The separator of two parts. */
export const SEPARATOR = '\n\n';

/** Selects the offers that fit beside the required parts; offers come in the order of their value. */
export function fitOffers(
  always: readonly string[],
  offers: readonly Offer[],
  { room, comfort }: TokenLimits,
): Outcome<Fitting, { readonly needs: number }> {
  const needed = always.reduce((sum, part) => sum + countPartBytes(part), 0);
  const bytes = room * BYTES_PER_TOKEN;
  if (needed > bytes) return failure({ needs: Math.ceil(needed / BYTES_PER_TOKEN) });
  const lastWord = Math.min(LAST_WORD, Math.floor(bytes * LAST_WORD_SHARE));
  let left = Math.min(bytes, comfort * BYTES_PER_TOKEN) - needed - lastWord;
  let used = needed;
  const versions = new Map<Offer, number | undefined>();
  for (const offer of offers) {
    let size = 0;
    const version = offer.versions.findIndex((text) => {
      size = countPartBytes(text);
      return size <= left;
    });
    versions.set(offer, version === -1 ? undefined : version);
    if (version === -1) continue;
    left -= size;
    used += size;
  }
  return success({ versions, bytesLeft: Math.min(bytes - used, LAST_WORD) });
}

/** The bytes of a part with its separator. */
export const countPartBytes = (part: string): number => encoder.encode(part).length + SEPARATOR.length;

const encoder = new TextEncoder();
/** Bytes reserved for the list of omissions, and their share of a small room. */
const LAST_WORD = 1500;
const LAST_WORD_SHARE = 0.1;
