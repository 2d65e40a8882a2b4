import { RE2JS } from 're2js';
import { failure, success, type Outcome } from './outcome.ts';
import { lowered } from './haystack.ts';
import { getErrorMessage } from './get-error-message.ts';

/** The position of a match in a text, `end` exclusive. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/** A pattern that is safe to run on any text: its time grows with the text's length and with nothing else. */
export interface CompiledPattern {
  readonly source: string;
  readonly size: number;
  /** Every match contains one of these, in lower case; undefined if unknown. */
  readonly literals: readonly string[] | undefined;
  /** Whether it speaks of the beginning or the end of the whole text (`\A`, `\z`). */
  readonly needsWholeText: boolean;
  /** Whether a match may reach over the end of a line. */
  readonly crossesLines: boolean;
  /** Whether it matches somewhere; `did` hears how many steps that took. */
  readonly test: (text: string, did: (steps: number) => void) => boolean;
  readonly find: (text: string, from: number, did: (steps: number) => void) => MatchSpan | undefined;
  /** The same, with what its first group holds, or the whole match where it has none. */
  readonly capture: (text: string, from: number, did: (steps: number) => void) => Captured | undefined;
}

export interface Captured extends MatchSpan {
  readonly text: string;
}

/** Makes a pattern of RE2 syntax ready, or says in one sentence why it is refused and what to write instead. */
export function compilePattern(pattern: string): Outcome<CompiledPattern, string> {
  const known = COMPILED.get(pattern);
  if (known !== undefined) return known;
  const made = compile(pattern);
  if (COMPILED.size >= MOST_COMPILED) COMPILED.clear();
  COMPILED.set(pattern, made);
  return made;
}

function compile(pattern: string): Outcome<CompiledPattern, string> {
  const early = refusalBeforeReading(pattern);
  if (early !== undefined) return failure(early);
  try {
    const regex = RE2JS.compile(pattern, RE2JS.MULTILINE);
    const size = regex.programSize();
    if (size > MOST_INSTRUCTIONS)
      return failure(
        `The pattern unfolds to ${size} steps, more than ${MOST_INSTRUCTIONS}: use smaller counts in \`{…}\` or fewer alternatives.`,
      );
    return success(compiled(pattern, regex, size));
  } catch (error) {
    return failure(refusal(pattern, getErrorMessage(error)));
  }
}

function compiled(source: string, regex: RE2JS, size: number): CompiledPattern {
  const program = regex.re2() as unknown as Program;
  const runes = program.prog.inst.filter(({ op }) => op >= RUNE && op <= LAST_RUNE);
  const ends = program.prog.inst.filter(({ op, arg }) => op === EMPTY_WIDTH && (arg & TEXT_ENDS) !== 0);
  return {
    source,
    size,
    literals: literalsOf(program.prefilter) ?? foldedLiterals(source),
    needsWholeText: ends.length > 0,
    crossesLines: runes.some((inst) => inst.matchRune(NEWLINE)),
    test: (text, did) => {
      // An automaton of many instructions costs more to build than a short text costs to match without one.
      if (size > LARGE && text.length <= size) {
        did(text.length * size);
        return regex.matcher(text).find();
      }
      const before = program.dfa.stateCount;
      const found = regex.test(text);
      const made = program.dfa.stateCount - before;
      did(text.length + (made >= 0 ? made * size : 2 * text.length * size));
      return found;
    },
    find: (text, from, did) => {
      const matcher = regex.matcher(text);
      const found = matcher.find(from);
      did((text.length - from) * size);
      return found ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
    capture: (text, from, did) => {
      const matcher = regex.matcher(text);
      const found = matcher.find(from);
      did(((found ? matcher.end() : text.length) - from + 1) * size);
      if (!found) return undefined;
      const group = matcher.groupCount() > 0 ? matcher.group(1) : null;
      return { start: matcher.start(), end: matcher.end(), text: group ?? matcher.group() ?? '' };
    },
  };
}

/** The literals of a pattern that begins with `(?i)`: those it would have without, in whatever case. */
function foldedLiterals(source: string): readonly string[] | undefined {
  if (!source.startsWith('(?i)')) return undefined;
  try {
    return literalsOf((RE2JS.compile(source.slice('(?i)'.length)).re2() as unknown as Program).prefilter);
  } catch {
    return undefined;
  }
}

/** What is read of a compiled program; the package's own types leave it open. */
interface Program {
  readonly prog: {
    readonly inst: readonly {
      readonly op: number;
      readonly arg: number;
      readonly matchRune: (rune: number) => boolean;
    }[];
  };
  readonly prefilter: Prefilter | null;
  readonly dfa: { readonly stateCount: number };
}

const COMPILED = new Map<string, Outcome<CompiledPattern, string>>();
const MOST_COMPILED = 5000;
const MOST_INSTRUCTIONS = 3000;
/** In instructions. */
const LARGE = 400;
const NEWLINE = 10;
// The package's own numbers for instructions and for what an empty one asks.
const EMPTY_WIDTH = 4;
const RUNE = 8;
const LAST_RUNE = 11;
const TEXT_ENDS = 4 | 8;

/** What the pattern package knows of the words that must stand in a text before its pattern can match. */
interface Prefilter {
  /** 0 nothing, 1 one word, 2 all of, 3 one of. */
  readonly type: number;
  readonly str: string;
  readonly subs: readonly Prefilter[];
}

/** Words of which every match contains at least one, in lower case; undefined if unknown. */
function literalsOf(prefilter: Prefilter | null): readonly string[] | undefined {
  const found = prefilter === null ? undefined : wordsOf(prefilter);
  if (found === undefined || found.length > MOST_WORDS || found.some(({ length }) => length < SHORTEST))
    return undefined;
  return found;
}

function wordsOf({ type, str, subs }: Prefilter): readonly string[] | undefined {
  if (type === 1) return [lowered(str)];
  const parts = subs.map(wordsOf);
  if (type === 3) return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined;
  const known = parts.filter((part) => part !== undefined);
  return known.toSorted((one, other) => worth(other) - worth(one))[0];
}

/** Long words are rare ones; of many, one is there soon. */
const worth = (words: readonly string[]): number => Math.min(...words.map(({ length }) => length)) - words.length / 8;

const MOST_WORDS = 64;
const SHORTEST = 2;

/** Why a pattern is refused before it is read, in one sentence; undefined when it may be read. */
function refusalBeforeReading(pattern: string): string | undefined {
  if (pattern === '') return 'The pattern is empty: leave it out, or write what is looked for.';
  if (new TextEncoder().encode(pattern).length > MOST_BYTES)
    return 'The pattern is longer than 2 kB: split it into several rules, or list words under `keywords`.';
  if (CONTROL.test(pattern))
    return 'The pattern holds a control character, as YAML makes of "\\b" in double quotes: write the pattern in single quotes.';
  if (!pattern.isWellFormed()) return 'The pattern holds half a character: rewrite it.';
  return undefined;
}

/** Why the engine refused a pattern, and what to write instead, in one sentence. */
function refusal(pattern: string, text: string): string {
  const bare = pattern.replace(/\\[^\d]/g, '').replace(/\[\^?\]?[^\]]*\]/g, '');
  const known = CONSTRUCTS.find(({ is }) => is.test(bare));
  if (known !== undefined) return known.says;
  return `The pattern is no regular expression in RE2 syntax (${text
    .replace(/^error parsing regexp: /, '')
    .replace(/\s+/g, ' ')
    .slice(0, 200)}): mend it, or put a backslash before a sign that is meant as such.`;
}

const CONSTRUCTS: readonly { readonly is: RegExp; readonly says: string }[] = [
  {
    is: /\(\?<?!/,
    says: 'The pattern looks for what must not follow or precede (`(?!…)`, `(?<!…)`), which RE2 cannot: write what is allowed as `not_pattern`.',
  },
  {
    is: /\(\?<?=/,
    says: 'The pattern looks ahead or behind (`(?=…)`, `(?<=…)`), which RE2 cannot: match that text as well, or say it in a second rule with `mode: require`.',
  },
  {
    is: /\\[1-9]|\\k[<{']|\(\?P=/,
    says: 'The pattern refers back to a group (`\\1`), which RE2 cannot: write out the alternatives, or exclude the rest by `not_pattern`.',
  },
];

const MOST_BYTES = 2048;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A text as a part of a regular expression that matches it alone. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
