import { formatNightCeiling, formatNightReport } from '../../night/night-facts.ts';
import { replaceTimes } from '../../base/local-time.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import { toShellWord } from '../../base/shell-word.ts';
import type { Digest, SuggestedCommand } from './digest.ts';
import {
  formatCeilings,
  digestHeadline,
  formatMerge,
  formatRejectionReasons,
  formatSentBack,
  formatUsed,
  describeWaitingItem,
} from './digest-sentences.ts';

/** One command to paste, and its purpose. */
export interface OutlineCommand {
  readonly title: string;
  /** In typing order: into the folder, where needed, and the command. */
  readonly commands: readonly string[];
}

/** One item of a section: a sentence, details, commands. */
export interface OutlineItem {
  readonly name: string;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly lines: readonly string[];
  readonly ways: readonly OutlineCommand[];
}

export interface Section {
  readonly id: string;
  /** With the number of its items, where useful. */
  readonly title: string;
  readonly items: readonly OutlineItem[];
}

/** A digest before rendering: text, page and board share its sentences. */
export interface Outline {
  readonly lead: string;
  readonly sections: readonly Section[];
}

/** How it is shown: the format of times, and the folder in which commands need no `cd`. */
export interface OutlineOptions {
  readonly when: (at: string) => string;
  readonly here: string | undefined;
  /** A note before all else. */
  readonly note?: string | undefined;
}

/** A digest as sentences, in the order useful in the morning. */
export function outlineDigest(digest: Digest, manner: OutlineOptions): Outline {
  const { when, here, note } = manner;
  const names = new Map(digest.repositories.map(({ name, root }) => [root, name]));
  const isOne = digest.repositories.length === 1;
  const called = (repository: string | null, what: string | null): string => {
    const name = repository === null ? undefined : (names.get(repository) ?? repository);
    return [...(isOne || name === undefined ? [] : [name]), ...(what === null ? [] : [what])].join(': ');
  };
  const show = (repository: string, { title, does, command }: SuggestedCommand): OutlineCommand => {
    const said = does === '' ? title : `${title}. ${does}`;
    if (repository === here) return { title: said, commands: [command] };
    const folder = toShellWord(repository);
    return folder === undefined
      ? { title: `${said} Type it in ${toSingleLine(repository)}:`, commands: [command] }
      : { title: said, commands: [`cd ${folder}`, command] };
  };
  const item = (name: string, text: string, more: Partial<OutlineItem> = {}): OutlineItem => ({
    name,
    text,
    tone: 'plain',
    lines: [],
    ways: [],
    ...more,
  });
  const needs = digest.needs_you.map((need) =>
    item(
      called(need.repository, need.task_id),
      `${need.what}${need.since === null ? '' : `, since ${when(need.since)}`}`,
      {
        tone: 'bad',
        lines: [need.why],
        ways: need.ways.map((way) => show(need.repository, way)),
      },
    ),
  );
  const merged = digest.merged.map((one) =>
    item(called(one.repository, one.task_id), `${formatMerge(one)} (${when(one.at)})`, {
      tone: one.undone_as === null && one.held !== false ? 'good' : 'bad',
      lines: [
        ...(one.wanted === '' ? [] : [`wanted: ${one.wanted}`]),
        ...one.weakened.map((bend) => `weakened, as allowed: ${bend}`),
        ...one.not_sure,
      ],
      ways: one.undo === null ? [] : [show(one.repository, { title: 'Take it back', does: '', command: one.undo })],
    }),
  );
  const back = digest.sent_back.map((one) =>
    item(called(one.repository, one.task_id), formatSentBack(one), { lines: formatRejectionReasons(one) }),
  );
  const given = digest.given_up.map(({ repository, task_id, at, why }) =>
    item(called(repository, task_id), `given up (${when(at)}): ${why}`),
  );
  const { together, tasks, ceilings } = digest.spent;
  const spent = [
    item('all', formatUsed(together)),
    ...tasks.map((one) =>
      item(called(one.repository, one.task_id), `${formatUsed(one)}; ${formatCeilings(one.ceilings)}`),
    ),
  ];
  const over = ceilings.map((one) => {
    // An earlier night is not this one.
    const ceiling = one.until < digest.to ? one.ceiling.replace('this night', 'the night') : one.ceiling;
    const used = formatNightCeiling({ ...one, ceiling });
    return item('', `all repositories, ceiling ${used} (from ${when(one.from)} to ${when(one.until)})`);
  });
  const nights = digest.nights.map((one) =>
    item('andon night', formatNightReport(one, when), {
      tone: one.went === 'cut short' ? 'bad' : 'plain',
      lines: [
        ...(one.what === null ? [] : [replaceTimes(one.what, when)]),
        ...(one.could_not_begin ?? []).map((text) => `could not begin: ${replaceTimes(text, when)}`),
      ],
      ways:
        one.goes_on === undefined
          ? []
          : [show(one.goes_on.repository, { title: 'Go on with it', does: '', command: one.goes_on.command })],
    }),
  );
  const waits = digest.waits.map((one) =>
    item(called(one.repository, one.task_id ?? one.file), describeWaitingItem(one, when), {
      ways: one.command === null ? [] : [show(one.repository, { title: 'Now', does: '', command: one.command })],
    }),
  );
  const unknown = digest.not_known.map(({ repository, task_id, what, remedy }) =>
    item(called(repository, task_id), what, { lines: remedy === null ? [] : [remedy] }),
  );
  return {
    lead: `${note === undefined ? '' : `${note} `}From ${when(digest.from)} to ${when(digest.to)}${isOne ? '' : `, in ${digest.repositories.length} repositories`}: ${digestHeadline(digest)}.`,
    sections: [
      counted('needs', 'Needs you', needs),
      counted('merged', 'Merged', merged),
      counted('back', 'Sent back', back),
      ...(given.length === 0 ? [] : [counted('given', 'Given up', given)]),
      { id: 'spent', title: 'Spent', items: [...(tasks.length === 0 ? [] : spent), ...over] },
      ...(nights.length === 0 ? [] : [counted('nights', 'Nights', nights)]),
      counted('waits', 'Waits', waits),
      counted('unknown', 'Missing data', unknown),
    ],
  };
}

const counted = (id: string, title: string, items: readonly OutlineItem[]): Section => ({
  id,
  title: items.length === 0 ? title : `${title} (${items.length})`,
  items,
});
