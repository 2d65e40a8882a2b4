import { FINAL } from './scenario.ts';

/** The `{{…}}` placeholders of a drill's file; `{{prompt:…}}` and `{{file:…}}` belong to the stand-ins. */
const NAMED: readonly (readonly [form: RegExp, value: (number: number) => string | number])[] = [
  // The document of the sample contract, and versions of it, so that attempts differ.
  [/^final$/, () => FINAL],
  [/^version (\d+)$/, (number) => `${FINAL}\nVersion ${number}.\n`],
  // A guide of this many lines, for changes that delete some.
  [
    /^guide of (\d+) lines$/,
    (lines) => Array.from({ length: lines }, (_, at) => `Step ${at + 1}: open page ${at + 1} and read it.\n`).join(''),
  ],
  // Seconds since 1970, read once, so that stand-in and check agree.
  [/^in an hour$/, () => IN_AN_HOUR],
];
const IN_AN_HOUR = Math.floor(Date.now() / 1000) + 3600;
const PLACE = /\{\{(?!prompt:|file:)([^{}]*)\}\}/g;

/** Expands every `{{…}}` in a drill's value; reports a fault for unknown ones. */
export function fillTexts(value: unknown, faults: string[], place = ''): unknown {
  if (typeof value === 'object' && value !== null) {
    const filled = Object.entries(value).map(
      ([key, inner]) => [key, fillTexts(inner, faults, place === '' ? key : `${place}.${key}`)] as const,
    );
    return Array.isArray(value) ? filled.map(([, inner]) => inner) : Object.fromEntries(filled);
  }
  if (typeof value !== 'string') return value;
  const named = (name: string): string | number => {
    for (const [form, make] of NAMED) {
      const found = form.exec(name);
      if (found !== null) return make(Number(found[1]));
    }
    faults.push(
      `${place}: {{${name}}} means nothing; known are {{final}}, {{version 1}}, {{guide of 10 lines}}, {{in an hour}}`,
    );
    return '';
  };
  const [whole] = value.matchAll(PLACE);
  if (whole?.[0] === value) return named(whole[1] ?? '');
  return value.replaceAll(PLACE, (_, name: string) => String(named(name)));
}
