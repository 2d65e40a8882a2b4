import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator as preset } from '@secretlint/secretlint-rule-preset-recommend';
import { findSecrets } from './find-secrets.ts';
import type { FoundSecret } from './found-secret.ts';
import { entropy, isPlaceholderValue } from './placeholders.ts';

// It keeps a mark of every rule on every file for ever, which a daemon cannot afford.
secretLintProfiler.setEnabled(false);

/** Every secret in a text: what secretlint's preset finds, and what andon's own forms find beside it. */
export async function findAllSecrets(path: string, text: string): Promise<readonly FoundSecret[]> {
  const theirs: FoundSecret[] = [];
  for (const piece of cutAtLines(text)) theirs.push(...(await lintPiece(path, text, piece)));
  theirs.sort((one, other) => one.start - other.start);
  let next = 0;
  const own = findSecrets(path, text).filter(({ start, end }) => {
    while ((theirs[next]?.end ?? Infinity) <= start) next += 1; // both lists are in order
    return (theirs[next]?.start ?? Infinity) >= end;
  });
  return [...theirs, ...own].toSorted((one, other) => one.start - other.start);
}

/** Part of a text; secrets that begin in it are read up to `read`. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly read: number;
}

/** secretlint compares each of its findings with every other one; in pieces of this size that costs nothing. */
const PIECE = 50_000;
/** Longer than a private key of 16,384 bits in PEM. */
const LONGEST_SECRET = 16_000;

function* cutAtLines(text: string): Generator<Piece> {
  for (let from = 0; from < text.length;) {
    const newline = text.lastIndexOf('\n', from + PIECE);
    const to = from + PIECE >= text.length ? text.length : newline > from ? newline + 1 : from + PIECE;
    yield { from, to, read: to + LONGEST_SECRET };
    from = to;
  }
}

async function lintPiece(path: string, text: string, { from, to, read }: Piece): Promise<readonly FoundSecret[]> {
  const { messages } = await lintSource({
    source: { filePath: path === '' ? 'text.txt' : path, content: text.slice(from, read), contentType: 'text' },
    options: {
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: preset }] },
      noPhysicFilePath: true,
      maskSecrets: true,
    },
  });
  return messages.flatMap(({ range, ruleId }) => {
    const [start, end] = [range[0] + from, range[1] + from];
    const rule = ruleId.replace('@secretlint/secretlint-rule-', '');
    return start < to && isReal(rule, text.slice(start, end)) ? [{ start, end, what: `a secret (${rule})` }] : [];
  });
}

/** Tokens of one repeated letter and examples from manuals do not count; passwords may be anything. */
function isReal(rule: string, value: string): boolean {
  if (ANYTHING.test(rule)) return true;
  if (rule.includes('slack') && !/\d{6}|hooks\.slack\.com/.test(value) && value.length < 30) return false;
  return !isPlaceholderValue(value) && entropy(value) >= 2.5;
}

const ANYTHING = /basicauth|database|privatekey|gcp|1password/;
