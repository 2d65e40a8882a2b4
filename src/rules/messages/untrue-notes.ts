import { listCodeClaims } from '../text/code-claims.ts';
import type { MessageCheck } from './message-check.ts';

/** A forgotten block is asked for before a gate runs. */
export const untrueNotes: MessageCheck<'untrue_notes', 'change'> = {
  id: 'untrue_notes',
  phase: 'change',
  question: 'Do the implementer’s notes say that a file was changed which the answer leaves alone?',
  check(message, record, { keptPaths = [] }) {
    if (message.kind === 'no-change' || message.edits === undefined) return undefined;
    const changed = [
      ...message.edits.map(({ path }) => path),
      ...keptPaths,
      ...(record.change?.files ?? []).flatMap(({ path, from }) => [path, from ?? path]),
    ];
    const untrue = (message.notes ?? '')
      .split(/(?<=[.!?])\s+|\n+/)
      .flatMap(saysChanged)
      .filter((path) => changed.every((one) => one !== path && !one.endsWith(`/${path}`) && !path.endsWith(`/${one}`)));
    if (untrue.length === 0) return undefined;
    const files = [...new Set(untrue)].slice(0, MOST_FILES).join(', ');
    return `Your notes say that you changed ${files}, but your answer holds nothing for it: give its block, or say what you really changed.`;
  },
};

const MOST_FILES = 5;

/** The files that a sentence claims were changed: a verb of changing directly before a file. */
function saysChanged(sentence: string): readonly string[] {
  const claims = listCodeClaims(sentence).filter(({ kind, isFirm }) => kind === 'path' && isFirm);
  return claims.map(({ text }) => text).filter((path) => VERB.test(sentence.slice(0, sentence.indexOf(path))));
}

const VERB =
  /\b(?:added|created|updated|changed|modified|edited|rewrote|wrote|removed|deleted|extended|fixed|refactored)\s+(?:(?:the|a|an|new|file|files|test|tests|in|to|of)\s+){0,3}`?$/i;
