import { FINAL } from './scenario.ts';

/** What `{{…}}` means in a drill's file; `{{prompt:…}}` and `{{file:…}}` are left to the stand-ins. */
const NAMED: readonly (readonly [form: RegExp, value: (number: number) => string | number])[] = [
  // The document that the sample contract asks for, and the same in versions, so that no attempt is the tree of another.
  [/^final$/, () => FINAL],
  [/^version (\d+)$/, (number) => `${FINAL}\nVersion ${number}.\n`],
  // A guide of so many lines, for what deletes some of them.
  [
    /^guide of (\d+) lines$/,
    (lines) => Array.from({ length: lines }, (_, at) => `Step ${at + 1}: open page ${at + 1} and read it.\n`).join(''),
  ],
  // Seconds since 1970; asked for once, so that the stand-in and the check mean the same moment.
  [/^in an hour$/, () => IN_AN_HOUR],
];
const IN_AN_HOUR = Math.floor(Date.now() / 1000) + 3600;
const PLACE = /\{\{(?!prompt:|file:)([^{}]*)\}\}/g;

/** A value of a drill's file with every `{{…}}` in its texts filled in; of one that means nothing a fault is told. */
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
