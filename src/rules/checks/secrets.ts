import { sentencesOf, type PlanSentence } from '../text/units.ts';
import { listNames } from '../../base/list-names.ts';
import { findLineNumber } from '../../base/find-line-number.ts';
import type { Finding } from '../model/finding.ts';
import type { HistoryPiece, MatchPlace, RuleMatch, Subject } from '../model/inspection.ts';
import type { Rule, RuleCheck } from '../model/rule.ts';
import type { Check, CheckTools } from './check.ts';
import { findingFingerprint } from '../enforce/findings-of.ts';
import { exactError, exactPass, exactViolation, matchContext, locateMatch } from './exact-match.ts';
import {
  addedLines,
  budgetFor,
  isChosen,
  isInFiles,
  selectTargets,
  type FileChoice,
  type LookedAt,
} from './search-targets.ts';
import { haystackOf } from '../../base/haystack.ts';
import { findSecrets } from '../secrets/find-secrets.ts';
import { withoutSecrets } from '../secrets/mask-secrets.ts';
import type { FoundSecret } from '../secrets/found-secret.ts';
import { findLookAlikes } from '../secrets/find-look-alikes.ts';
import { CHOICE_KEYS, choiceOf, placeOf, wrongChoice, wrongPlace } from './settings.ts';

/** No secret is in the lines that a change adds, in files or in prose. */
export const SECRETS: Check = {
  type: 'secrets',
  keys: CHOICE_KEYS,
  reads: () => true,
  lint: (check) => [...wrongChoice(check), ...wrongPlace(check)],
  run,
};

function run(check: RuleCheck, rule: Rule, subject: Subject, { context }: CheckTools): readonly RuleMatch[] {
  const [place, choice] = [placeOf(check, rule), choiceOf(check, rule)];
  const texts = selectTargets(subject, place, choice);
  const isOfFiles = isInFiles(place);
  const past = isOfFiles ? pastOf(subject, choice) : [];
  const unread = isOfFiles ? subject.history?.unread : undefined;
  const beside = isOfFiles ? (subject.history?.texts ?? []) : [];
  const names = isOfFiles ? newPaths(subject, choice) : [];
  if ([texts, past, beside, names].every(({ length }) => length === 0) && unread === undefined) return [];
  const budget = budgetFor(subject, context);
  const kinds = new Map<string, MatchPlace[]>();
  const known = new Set<string>();
  const tooLarge: string[] = [];
  const tooMuch: string[] = [];
  const note = (kind: string, place: MatchPlace): void => void kinds.set(kind, [...(kinds.get(kind) ?? []), place]);
  for (const { piece, text } of [...texts.map((text) => ({ piece: undefined, text })), ...past]) {
    const whole = text.haystack.text;
    if (whole.length > MOST_CHARACTERS || !budget.spend(whole.length * STEPS_PER_CHARACTER)) {
      (whole.length > MOST_CHARACTERS ? tooLarge : tooMuch).push(text.file ?? 'the text');
      continue;
    }
    for (const { start, end, what } of findSecrets(text.file ?? '', whole)) {
      const secret = whole.slice(start, end);
      if (piece === undefined) note(`holds ${what}`, locateMatch(text, { start, end }));
      else if (!known.has(secret)) note(burnt(what, piece), withoutPosition(locateMatch(text, { start, end })));
      known.add(secret);
    }
  }
  for (const { path, what } of secretsInPaths(names))
    note(`the name of a file holds ${what}`, { excerpt: shownPath(path), matched: path });
  for (const { what: where, text } of beside) {
    const haystack = haystackOf(text);
    if (text.length > MOST_CHARACTERS || !budget.spend(text.length * STEPS_PER_CHARACTER)) tooMuch.push(where);
    else
      for (const { start, end, what } of findSecrets('', text))
        note(`${where} holds ${what}${REWRITE}`, withoutPosition(locateMatch({ haystack }, { start, end })));
  }
  const errors = [
    ...unchecked(`with more than ${MOST_CHARACTERS / 1_000_000} million characters it is too large`, tooLarge),
    ...(unread === undefined ? [] : [exactError(`not looked through for secrets: ${unread}`)]),
    ...unchecked('the change is too large to check; make it in parts', tooMuch),
  ];
  if (kinds.size > 0) return [...[...kinds].map(([reason, at]) => exactViolation(reason, at)), ...errors];
  return errors.length > 0 ? errors : [exactPass('no secret was found')];
}

/** What the commits of a branch brought and took away again; what the branch still shows comes first, and counts once. */
const pastOf = ({ history }: Subject, choice: FileChoice): readonly { piece: HistoryPiece; text: LookedAt }[] =>
  (history?.pieces ?? [])
    .filter(({ path }) => isChosen(path, choice))
    .flatMap((piece) => addedLines({ ...piece, binary: piece.isPieces === true }).map((text) => ({ piece, text })));

const REWRITE = ': everyone who fetches it reads it; revoke it, make a new one, and rewrite the text';

/** Paths that a change brings, and those that its commits brought on the way. */
const newPaths = (subject: Subject, choice: FileChoice): readonly string[] => [
  ...new Set(
    [
      ...subject.files.flatMap(({ path, change }) => (change === 'added' || change === 'moved' ? [path] : [])),
      ...(subject.history?.pieces ?? []).map(({ path }) => path),
    ].filter((path) => isChosen(path, choice)),
  ),
];

const shownPath = (path: string): string => path.split('/').map(withoutSecrets).join('/');

/** Secrets in names of files and folders, one a path. */
function secretsInPaths(paths: readonly string[]): readonly { readonly path: string; readonly what: string }[] {
  return paths.flatMap((path) => {
    const [found] = findSecrets('', path.replaceAll('/', ' \n'));
    return found === undefined ? [] : [{ path, what: found.what }];
  });
}

/** Secrets in the paths that a change adds; a name is in every listing of the repository. */
export const secretsInNames = (paths: readonly string[]): readonly Finding[] =>
  secretsInPaths(paths).map(({ path, what }) => ({
    ...FOUND_SECRET,
    severity: 'critical',
    file: shownPath(path),
    description: `the name of a file holds ${what}`,
  }));

const FOUND_SECRET = { source: 'secrets', category: 'security', security: true } as const;

/** Removing a secret is not enough: every copy of the repository has it. */
function burnt(what: string, { commit, takenBy }: HistoryPiece): string {
  const hidden = takenBy === undefined ? 'a later commit' : `commit ${takenBy.slice(0, 12)}`;
  return `commit ${commit.slice(0, 12)} brought ${what}, and ${hidden} only hides it: the history still shows it, so it is burnt; revoke it and make a new one (rotate it), then take the commit out of the branch`;
}

/** The line of an older state is no line of today's file. */
function withoutPosition({ line: _line, column: _column, ...place }: MatchPlace): MatchPlace {
  return place;
}

const unchecked = (why: string, names: readonly string[]): readonly RuleMatch[] =>
  names.length === 0 ? [] : [exactError(`not looked through for secrets, because ${why}: ${listNames(names)}`)];

/** The rules that look for secrets, and the fingerprints that a human waived at halts of a task. */
export interface WaivedSecrets {
  readonly rules: readonly string[];
  readonly waived: readonly string[];
}

/**
 * Secrets that a change adds to a file; what was there before is not its doing. The secret itself is never repeated.
 * A text that a human waived in this file is reported, and does not halt the task again.
 */
export function secrets(
  path: string,
  before: string,
  after: string,
  { rules, waived }: WaivedSecrets = { rules: [], waived: [] },
): readonly Finding[] {
  const isWaived = (place: FoundSecret): boolean =>
    rules.some((rule) => waived.includes(findingFingerprint(rule, path, matchContext(after, place))));
  const old = new Set(secretsOrLookAlikes(path, before).map(({ start, end }) => before.slice(start, end)));
  return secretsOrLookAlikes(path, after)
    .filter(({ start, end }) => !old.has(after.slice(start, end)))
    .map((place) => ({
      ...FOUND_SECRET,
      severity: isWaived(place) ? 'low' : 'critical',
      file: path,
      line: findLineNumber(after, place.start),
      description: `adds ${place.what}${isWaived(place) ? ', which a human waived at a halt' : ''}`,
    }));
}

/** In text from an agent the mere shape of a key counts too: only a human may allow a made-up one. */
function secretsOrLookAlikes(path: string, text: string): readonly FoundSecret[] {
  const found = findSecrets(path, text);
  const lines = new Set(found.map(({ start }) => findLineNumber(text, start)));
  return [...found, ...findLookAlikes(text, path).filter(({ start }) => !lines.has(findLineNumber(text, start)))];
}

const MOST_CHARACTERS = 1_000_000;
const STEPS_PER_CHARACTER = 8;

/**
 * Whether a rule in prose is about secrets that stand in code, so that the lines of a change can be looked through for them
 * and an unchecked rule never counts as passed: a sentence of it speaks of secrets together with hard-coding
 * them, or says that they do not belong into what is kept in the repository.
 */
export function forbidsSecretsInCode({ title, content, action_text: action }: Rule): boolean {
  return sentencesOf([title, content ?? '', action ?? ''].join('\n')).some(
    (sentence) =>
      (FOREIGN_SECRET.test(sentence.text) && FOREIGN_CODE.test(sentence.text)) ||
      (speaksOf(sentence, 'secrets.secret') &&
        (speaksOf(sentence, 'secrets.hardcode') ||
          (speaksOf(sentence, 'secrets.sourcecode') && sentence.scopes.length > 0))),
  );
}

const FOREIGN_SECRET = /비밀번호|암호|토큰|密钥|密码|令牌|凭据|凭证/u;
const FOREIGN_CODE = /하드\s?코딩|소스|코드|저장소|硬编码|写死|源码|源代码|代码|仓库/u;

/** The concept itself, not its replacement (an environment variable). */
const speaksOf = ({ units }: PlanSentence, concept: string): boolean =>
  units.some(({ meanings }) => meanings.some((meaning) => meaning.concept === concept && meaning.sign === 1));
