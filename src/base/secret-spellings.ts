/** The spellings of a secret in a text: plain, and in the usual encodings. */
export function listSecretSpellings(secret: string): ReadonlySet<string> {
  const bytes = toBytes(secret);
  const hex = bytes.replaceAll(/[^]/g, (sign) => sign.charCodeAt(0).toString(16).padStart(2, '0'));
  const percent = encodeURIComponent(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const spellings = new Set([
    secret,
    inJson,
    inJson.replaceAll('/', String.raw`\/`),
    toHtml(secret),
    percent,
    percent.replaceAll(/%../g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    hex.replaceAll(/../g, '%$&'),
    hex.toUpperCase().replaceAll(/../g, '%$&'),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((before) => toBase64(bytes, before)),
  ]);
  // A text may also be read as bytes, one character each.
  return new Set([...spellings].flatMap((one) => [one, toBytes(one)]));
}

const toHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The part of its base64 that depends only on the secret, for this many bytes before it: 0, 1 or 2 of every three. */
function toBase64(bytes: string, before: number): readonly string[] {
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + bytes.length) * 8) / 6);
  const sure = btoa('\0'.repeat(before) + bytes).slice(from, to);
  return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
}

const ENCODER = new TextEncoder();
const toBytes = (text: string): string => bytesToLatin1(ENCODER.encode(text));

/** Bytes as a text with one character each. */
export function bytesToLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STRIDE) text += String.fromCharCode(...bytes.subarray(at, at + STRIDE));
  return text;
}

/** A safe number of arguments of a call. */
const STRIDE = 8192;
