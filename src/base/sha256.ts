/** The SHA-256 of a text in hexadecimal, computed without the platform, so that pure rooms can name things by it. */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  const state = Uint32Array.from(ROOTS.squares);
  const words = new Uint32Array(64);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getUint32(block + at * 4);
    for (let at = 16; at < 64; at += 1)
      words[at] =
        (word(words, at - 16) +
          small(word(words, at - 15), 7, 18, 3) +
          word(words, at - 7) +
          small(word(words, at - 2), 17, 19, 10)) |
        0;
    mix(state, words);
  }
  return [...state].map((part) => part.toString(16).padStart(8, '0')).join('');
}

/** The message, a one bit, zeros, and its length in bits: a multiple of 64 bytes. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(bytes.length - 4, message.length << 3);
  return bytes;
}

/** One round of 64 steps over the eight registers. */
function mix(state: Uint32Array, words: Uint32Array): void {
  const held = [...state] as Registers;
  let [a, b, c, d, e, f, g, h] = held;
  for (let at = 0; at < 64; at += 1) {
    const first = (h + large(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + word(ROOTS.cubes, at) + word(words, at)) | 0;
    const second = (large(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, part] of [a, b, c, d, e, f, g, h].entries()) state[at] = word(state, at) + part;
}

type Registers = [number, number, number, number, number, number, number, number];

const word = (words: Uint32Array, at: number): number => words[at] ?? 0;
const turned = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
const small = (value: number, one: number, two: number, shift: number): number =>
  turned(value, one) ^ turned(value, two) ^ (value >>> shift);
const large = (value: number, one: number, two: number, three: number): number =>
  turned(value, one) ^ turned(value, two) ^ turned(value, three);

/** The standard's constants: the first 32 bits of the fractions of square and cube roots of the first primes. */
const ROOTS = fractions();

function fractions(): { readonly squares: Uint32Array; readonly cubes: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  const part = (root: number): number => Math.floor((root - Math.floor(root)) * 0x100000000);
  return {
    squares: Uint32Array.from(primes.slice(0, 8), (prime) => part(Math.sqrt(prime))),
    cubes: Uint32Array.from(primes, (prime) => part(Math.cbrt(prime))),
  };
}
