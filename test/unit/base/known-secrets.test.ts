import { describe, expect, test } from 'vitest';
import { createSecretMasker, maskKnown, maskKnownIn, rememberSecrets } from '../../../src/base/known-secrets.ts';
import { expectEffortBelow } from '../../support/effort.ts';

const KEY = 'mykey/CANARY+77:abc?Zq';
const known = createSecretMasker([KEY]);
const bytes = Buffer.from(KEY);

const SPELLINGS: readonly (readonly [string, string])[] = [
  ['as it is', KEY],
  ['in hex', bytes.toString('hex')],
  ['in hex of capital letters', bytes.toString('hex').toUpperCase()],
  ['in the form of addresses', encodeURIComponent(KEY)],
  [
    'in the form of addresses with small letters',
    encodeURIComponent(KEY).toLowerCase().replace('mykey', 'mykey').replace('canary', 'CANARY').replace('zq', 'Zq'),
  ],
  ['with every character percent-encoded', bytes.toString('hex').replaceAll(/../g, '%$&')],
  ['in JSON', JSON.stringify({ key: KEY })],
  ['in JSON with escaped slashes', JSON.stringify({ key: KEY }).replaceAll('/', String.raw`\/`)],
  ...[0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.from('x'.repeat(before)), bytes, Buffer.from('yy')]);
    return [
      [`in base64 behind ${before} bytes`, text.toString('base64')],
      [`in base64url behind ${before} bytes`, text.toString('base64url')],
    ] as const;
  }),
];

const textOf = (some: Uint8Array): string => Buffer.from(some).toString();

/** Whether a piece of 12 characters of one text is in the other. */
const shares = (one: string, other: string): boolean =>
  Array.from({ length: Math.max(0, one.length - 11) }, (_, at) => one.slice(at, at + 12)).some((piece) =>
    other.includes(piece),
  );

describe('a known secret', () => {
  test.each(SPELLINGS)('is masked %s', (_, spelling) => {
    const masked = known.mask(`before ${spelling} after`);
    expect(masked).toMatch(/^before .*\*{3}.* after$/);
    expect(shares(spelling.replaceAll(/^\{"key":"|"\}$/g, ''), masked)).toBe(false);
  });

  test('is masked in pieces of 12 characters, wherever they begin', () => {
    for (let at = 0; at + 12 <= KEY.length; at += 1) expect(known.mask(`<${KEY.slice(at, at + 12)}>`)).toBe('<***>');
    const cut = KEY.slice(0, 12) + ' | ' + KEY.slice(10);
    expect(known.mask(cut)).toBe('*** | ***');
  });

  test('is masked in pieces that were encoded one by one', () => {
    for (let at = 0; at + 12 <= KEY.length; at += 1) {
      const piece = Buffer.from(KEY.slice(at, at + 12));
      expect(known.mask(piece.toString('hex'))).toBe('***');
      expect(shares(piece.toString('base64').slice(2, -2), known.mask(piece.toString('base64')))).toBe(false);
    }
  });

  test.each(SPELLINGS)('is masked %s in a stream, wherever the chunks cut it', (_, spelling) => {
    const whole = `data: ${spelling}\n\ndata: [DONE]\n\n`;
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const stream = known.stream();
      const shown = [whole.slice(0, cut), whole.slice(cut)].map((part) => textOf(stream.write(Buffer.from(part))));
      expect(shown.join('') + textOf(stream.end())).toBe(known.mask(whole));
    }
    const stream = known.stream();
    const shown = whole.split('').map((one) => textOf(stream.write(Buffer.from(one))));
    expect(shown.join('') + textOf(stream.end())).toBe(known.mask(whole));
  });

  test('delays nothing of a stream that cannot be its beginning, and changes no other byte', () => {
    const stream = known.stream();
    expect(textOf(stream.write(Buffer.from('event: é\n\n')))).toBe('event: é\n\n');
    const bytesOfAll = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    expect(Buffer.concat([stream.write(bytesOfAll), stream.end()])).toEqual(bytesOfAll);
  });

  test('of short lines is masked with the line ends of every system', () => {
    const lines = ['b3BlbnNz', 'aC1rZXkt', 'djEAAAAA'];
    for (const ends of ['\n', '\r\n']) {
      const key = createSecretMasker([`${lines.join(ends)}${ends}`]);
      for (const shown of ['\n', '\r\n']) expect(key.mask(`<${lines.join(shown)}>`)).toBe('<***>');
    }
  });

  test('of letters outside ASCII is masked in text and in bytes', () => {
    const umlauts = createSecretMasker(['pässwörter-für-42']);
    expect(umlauts.mask('a pässwörter-für-42 b')).toBe('a *** b');
    const stream = umlauts.stream();
    const shown = textOf(stream.write(Buffer.from('a pässwörter-für-42 b'))) + textOf(stream.end());
    expect(shown).toBe('a *** b');
  });

  test.each([
    ['HTML by names', 'p4&amp;w0rd&lt;x1&gt;ü&quot;&apos;7 (!*)~Qq/z'],
    ['HTML by names, the apostrophe in hex', 'p4&amp;w0rd&lt;x1&gt;ü&quot;&#x27;7 (!*)~Qq/z'],
    ['HTML by names, the apostrophe by number', 'p4&amp;w0rd&lt;x1&gt;ü&quot;&#39;7 (!*)~Qq/z'],
    ['HTML by names, quotes by number', 'p4&amp;w0rd&lt;x1&gt;ü&#34;&#39;7 (!*)~Qq/z'],
    ['HTML by names, quotes as they are', `p4&amp;w0rd&lt;x1&gt;ü"'7 (!*)~Qq/z`],
    ['HTML by numbers', 'p4&#38;w0rd&#60;x1&#62;ü&#34;&#39;7 (!*)~Qq/z'],
    ['HTML in hex', 'p4&#x26;w0rd&#x3c;x1&#x3e;ü&#x22;&#x27;7 (!*)~Qq/z'],
    ['HTML in hex of capital letters', 'p4&#x26;w0rd&#x3C;x1&#x3E;ü&#x22;&#x27;7 (!*)~Qq/z'],
    ['JSON as Go writes it', String.raw`p4\u0026w0rd\u003cx1\u003eü\"'7 (!*)~Qq/z`],
    ['JSON as Python writes it', String.raw`p4&w0rd<x1>\u00fc\"'7 (!*)~Qq/z`],
    ['JSON of ASCII without signs of HTML', String.raw`p4\u0026w0rd\u003Cx1\u003E\u00FC\"'7 (!*)~Qq\/z`],
    ['JSON as .NET writes it', String.raw`p4\u0026w0rd\u003Cx1\u003E\u00FC\u0022\u00277 (!*)~Qq/z`],
    ['an address by RFC 3986', 'p4%26w0rd%3Cx1%3E%C3%BC%22%277%20%28%21%2A%29~Qq%2Fz'],
    ['an address with small letters', 'p4%26w0rd%3cx1%3e%c3%bc%22%277%20%28%21%2a%29~Qq%2fz'],
    ['a path as Python writes it', 'p4%26w0rd%3Cx1%3E%C3%BC%22%277%20%28%21%2A%29~Qq/z'],
    ['a form', 'p4%26w0rd%3Cx1%3E%C3%BC%22%277+%28%21*%29%7EQq%2Fz'],
  ])('is masked in %s, in text and in bytes', (_, spelling) => {
    const special = createSecretMasker([`p4&w0rd<x1>ü"'7 (!*)~Qq/z`]);
    expect(special.mask(`<${spelling}>`)).toBe('<***>');
    const stream = special.stream();
    const shown = [...Buffer.from(`<${spelling}>`)].map((byte) => textOf(stream.write(Uint8Array.of(byte))));
    expect(shown.join('') + textOf(stream.end())).toBe('<***>');
  });

  test('leaves short parts of itself that an encoding makes long', () => {
    const cyrillic = createSecretMasker(['пароль-секрет-42', '{"type": "account", "id": "kQ7z"}']);
    for (const text of [String.raw`"\u043f\u0430\u0440\u043e\u043b\u044c"`, '?q=%D0%BF%D0%B0%D1%80', '&quot;: &quot;x'])
      expect(cyrillic.mask(text)).toBe(text);
    expect(cyrillic.mask(JSON.stringify('пароль-секрет-4'))).toBe('"***"');
    expect(cyrillic.mask(encodeURIComponent('пароль-секрет-4'))).toBe('***');
  });

  test.each([
    ['short', 'hunter2'],
    ['a word', 'development'],
    ['a switch', 'true'],
    ['a number', '200000000'],
    ['an address of this machine', 'http://localhost:11434/v1'],
    ['a path', '/home/you/.config/key.pem'],
    ['a path in a folder that only this machine has', '/data/you/shop-backend'],
    ['a path with versions and short names', '/w/node_modules/.pnpm/vite@5.1.0/dist'],
    ['a path in another script', '/проекты/магазин'],
    ['a path from the home', '~/.ssh/id_ed25519'],
    ['what stands for a key where none is needed', 'not-needed'],
    ['a dummy', 'dummy-api-key'],
    ['one sign again and again', 'xxxxxxxxxxxxxxxx'],
    ['empty', ''],
  ])('is none where the value is %s', (_, value) => {
    const text = `here is ${value} and more`;
    expect(createSecretMasker([value]).mask(text)).toBe(text);
  });

  test.each([
    ['has a part that looks like chance', '/data/aB3dE6gH9jK2mN5pQ8/shop'],
    ['is a key that begins like one', '/wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ'],
  ])('may be a path where it %s', (_, value) => expect(createSecretMasker([value]).mask(`<${value}>`)).toBe('<***>'));

  test('that is only words is masked in pieces of several words, and never in a single one', () => {
    const words = createSecretMasker(['development-environment-key']);
    expect(words.mask('say development-environment-key')).toMatch(/^say \*{3}$/);
    expect(words.mask('say ment-environ')).toBe('say ***');
    expect(words.mask('a development-only environment')).toBe('a development-only environment');
  });

  test('costs time that grows with the text and with nothing else', () => {
    const many = createSecretMasker(Array.from({ length: 40 }, (_, at) => `${at}-secret-${at * 7919}-of-Nobody`));
    const hostile = `${KEY.slice(0, 11)}3-secret-`.repeat(150_000);
    expectEffortBelow(1600, () => many.mask(hostile));
  });

  test('that is remembered is masked in every text of a value', () => {
    rememberSecrets(['remembered-Value-4711']);
    expect(maskKnown('a remembered-Value-4711 b')).toBe('a *** b');
    const value = { list: ['remembered-Value-4711'], number: 7, none: null, 'remembered-Value-4711': 'x' };
    expect(maskKnownIn(value)).toEqual({ list: ['***'], number: 7, none: null, '***': 'x' });
  });
});
