/** Replaces the secrets that are known by their values, in any of the forms in which they may be repeated. */
export interface KnownSecrets {
  /** The text without them; a piece of 12 characters of one is enough. */
  mask(text: string): string;
  /** The same for a text that comes in pieces: what may be the beginning of a secret waits for the next piece. */
  follow(): { take(chunk: string): string; end(): string };
}

/** What stands in the place of a secret. */
export const MASKED = '[secret]';
/** A piece of a secret that is longer than this shows it. */
const PIECE = 12;
/** A shorter value is a word that other texts may have as well. */
const SHORTEST = 8;

/** Makes the mask of these values: as they are, in base64 at each of its three offsets, in hex, and as in URLs and JSON. */
export function knownSecrets(values: readonly string[]): KnownSecrets {
  const pieces = new Set<string>();
  for (const value of new Set(values)) {
    if (value.length < SHORTEST) continue;
    const isTelling = /[A-Z0-9]/.test(value) ? /[A-Z0-9]/ : /./s;
    for (const form of formsOf(value)) {
      const length = Math.min(PIECE, form.length);
      for (let at = 0; at + length <= form.length; at += 1) {
        const piece = form.slice(at, at + length);
        if (isTelling.test(piece)) pieces.add(piece);
      }
    }
  }
  if (pieces.size === 0) return NOTHING_KNOWN;
  const lengths = [...new Set([...pieces].map(({ length }) => length))].toSorted((one, other) => other - one);
  const beginnings = new Set([...pieces].map((piece) => pairAt(piece, 0)));
  const starts = new Set(
    [...pieces].flatMap((piece) => Array.from({ length: piece.length - 1 }, (_, at) => piece.slice(0, at + 1))),
  );

  /** How far the text is a secret from `at` on; 0 where it is none. */
  const lengthAt = (text: string, at: number): number => {
    if (!beginnings.has(pairAt(text, at))) return 0;
    return lengths.find((length) => pieces.has(text.slice(at, at + length))) ?? 0;
  };
  const mask = (text: string): string => maskUpTo(text, text.length);
  return {
    mask,
    follow() {
      let kept = '';
      return {
        take(chunk) {
          const text = kept + chunk;
          let hold = Math.min(PIECE - 1, text.length);
          while (hold > 0 && !starts.has(text.slice(-hold))) hold -= 1;
          kept = hold === 0 ? '' : text.slice(-hold);
          // What is held back may be the end of a secret that has been seen: its beginning is masked by the whole text.
          return maskUpTo(text, text.length - hold);
        },
        end() {
          const rest = mask(kept);
          kept = '';
          return rest;
        },
      };
    },
  };

  /** The text up to an end, masked by what follows as well. */
  function maskUpTo(text: string, end: number): string {
    let [out, copied, masked] = ['', 0, -1];
    for (let at = 0; at < end; at += 1) {
      const length = lengthAt(text, at);
      if (length === 0) continue;
      if (at > masked) out += `${text.slice(copied, at)}${MASKED}`;
      masked = Math.max(masked, at + length);
      copied = Math.min(masked, end);
    }
    return out + text.slice(copied, end);
  }
}

const NOTHING_KNOWN: KnownSecrets = {
  mask: (text) => text,
  follow: () => ({ take: (chunk) => chunk, end: () => '' }),
};

/** Two characters as one number, to pass over most of a text quickly. */
const pairAt = (text: string, at: number): number => text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1);

function formsOf(value: string): readonly string[] {
  // Bytes as characters: what a stream of bytes is compared with, and what base64 and hex are made of.
  const bytes = String.fromCharCode(...new TextEncoder().encode(value));
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = btoa(`${'\0'.repeat(offset)}${bytes}`).replace(/=+$/, '');
    // The first characters depend on what stands before the secret, the last one on what follows it.
    const isWhole = (bytes.length + offset) % 3 === 0;
    const sure = text.slice(offset === 0 ? 0 : offset + 1, isWhole ? undefined : -1);
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const json = JSON.stringify(value).slice(1, -1);
  const all = [value, bytes, ...base64, hex, hex.toUpperCase(), encodeURIComponent(value), json];
  return [...new Set(all)].filter(({ length }) => length >= SHORTEST);
}
