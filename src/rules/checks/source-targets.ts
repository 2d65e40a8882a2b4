import type { MatchPlace, Subject } from '../model/inspection.ts';
import { findLineNumber } from '../../base/find-line-number.ts';
import type { MatchSpan } from '../../base/pattern.ts';
import { haystackOf } from '../../base/haystack.ts';
import { locateMatch } from './exact-match.ts';
import { selectTargets, type FileChoice, type LookedAt } from './search-targets.ts';
import type { RulePlace } from '../model/rule-words.ts';

/** Source code that a check parses, and the lines of it that the rule is about. */
export interface SourceTarget {
  readonly path: string;
  readonly text: string;
  /** Only the added lines are known: a parser sees a fragment. */
  readonly isFragment: boolean;
  /** The place of a span, as reports name it; undefined where it touches no line that the rule is about. */
  locate(span: MatchSpan): MatchPlace | undefined;
}

/** The chosen files of a subject, whole where their whole text is known. */
export function selectSources(subject: Subject, on: RulePlace, choice: FileChoice): readonly SourceTarget[] {
  const contents = new Map(subject.files.map(({ path, content }) => [path, content?.replaceAll('\r\n', '\n')]));
  return selectTargets(subject, on, choice).flatMap((target) =>
    target.file === undefined || target.isPieces === true
      ? []
      : [sourceTarget(target, target.file, contents.get(target.file))],
  );
}

function sourceTarget(target: LookedAt, path: string, content: string | undefined): SourceTarget {
  const { lines } = target;
  if (content === undefined || lines === undefined) {
    const { text } = target.haystack;
    const isFragment = lines !== undefined || target.isPartial === true;
    return { path, text, isFragment, locate: (span) => locateMatch(target, span) };
  }
  const whole: LookedAt = { file: path, haystack: haystackOf(content) };
  return {
    path,
    text: content,
    isFragment: false,
    locate(span) {
      const [first, last] = [
        findLineNumber(content, span.start),
        findLineNumber(content, Math.max(span.start, span.end - 1)),
      ];
      return lines.some((line) => line >= first && line <= last) ? locateMatch(whole, span) : undefined;
    },
  };
}
