import { parseJson } from '../../base/json-object.ts';
import { sha256 } from '../../base/sha256.ts';
import { CONFIG } from '../../project/config/read-settings.ts';
import { renderConfigPage, readPageValues, type PageValues } from '../../project/config/config-page.ts';
import { renderProfile } from '../../project/config/edit-config.ts';
import { PROFILES } from '../../rules/files/project-files.ts';
import type { FoundAgent } from './propose-config.ts';
import { HANDOFF } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { LeftOutGate } from './stack.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { refuseForeignRoot } from '../../project/workspace/lock-workspace.ts';

/** What `init` did: files it made, its own files that it rewrote, and files that it left alone. */
export type InitResult = ReturnType<typeof initProject>;

/** The configuration file of a project, as `init` sees it. */
type ConfigAsItLies = { readonly leftOut: readonly LeftOutGate[] } & (
  | { readonly whose: 'none' }
  /** `init` wrote it and there are no later edits: it may be rewritten. */
  | { readonly whose: 'init'; readonly values: PageValues }
  | { readonly whose: 'a human' }
);

export function lookAtConfig(root: string): ConfigAsItLies {
  const page = readPlain(root, CONFIG);
  if (page === undefined) return { whose: 'none', leftOut: [] };
  if (page === NOT_PLAIN) return { whose: 'a human', leftOut: [] };
  const leftOut = [...page.matchAll(/^# left out: (\[.*\])\r?$/gm)].flatMap(([, row = '']) => {
    const parts = parseJson(row);
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return [];
    const [name = '', run = '', why = ''] = parts;
    return [{ name, run, why }];
  });
  return isUntouched(page) ? { whose: 'init', values: readPageValues(page), leftOut } : { whose: 'a human', leftOut };
}

/** The page that `init` writes for these values: sealed, so that an edit shows. */
export const sealPage = (values: PageValues, leftOut: readonly LeftOutGate[] = []): string =>
  seal(renderConfigPage(values) + renderLeftOut(leftOut));

const LEFT_OUT = '# Gates that `andon init` found and left out. Run it again after a change:';

/** Comments that keep the gates that were left out; `andon doctor` and the next `init` read them. */
const renderLeftOut = (gates: readonly LeftOutGate[]): string =>
  gates.length === 0
    ? ''
    : `\n${[LEFT_OUT, ...gates.map(({ name, run, why }) => `# left out: ${JSON.stringify([name, run, why])}`)].join('\n')}\n`;

/**
 * Makes `_handoff/`, where the inbox is, `.andon/config.yaml`, and a profile of each of these drivers. A file that a human
 * wrote or edited is never touched.
 */
export function initProject(
  root: string,
  values: PageValues,
  inboxRoot = root,
  {
    leftOut = [],
    agents = [],
  }: { readonly leftOut?: readonly LeftOutGate[]; readonly agents?: readonly FoundAgent[] } = {},
) {
  refuseForeignRoot({ root });
  refuseFalseFolder(root);
  const before = lookAtConfig(root);
  try {
    createHandoff(inboxRoot).prepare();
    const readme = put(inboxRoot, README, HANDOFF_README, false);
    const config = put(root, CONFIG, sealPage(values, leftOut), before.whose === 'init');
    const profiles = agents.map(({ driver, edits }): readonly [string, Fate] => {
      const path = `${PROFILES}/${driver}.yaml`;
      return [path, put(root, path, renderProfile({ driver, ...(edits ? { edits } : {}) }), false)];
    });
    const files: readonly (readonly [string, Fate])[] = [[README, readme], [CONFIG, config], ...profiles];
    const those = (...fates: readonly Fate[]): readonly string[] =>
      files.filter(([, fate]) => fates.includes(fate)).map(([path]) => path);
    return {
      made: those('made'),
      rewritten: those('rewritten'),
      kept: those('kept', 'different'),
      /** Those of the kept files that are not what `init` would have written, because a human wrote or edited them. */
      different: those('different'),
    };
  } catch (error) {
    throw toProblem(root, error);
  }
}

type Fate = 'made' | 'rewritten' | 'kept' | 'different';

const README = `${HANDOFF}/README.md`;
const NOT_PLAIN = Symbol('not a plain file');

/** A repository could bring `.andon` as a link to somewhere else. */
function refuseFalseFolder(root: string): void {
  const bars = openDir(root).barred([], ['.andon']);
  if (bars !== undefined) throw new Problem('file-exists', bars, 'move it away; the configuration goes there', 1);
}

function toProblem(root: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof Problem || code === undefined) return error;
  return new Problem('file-exists', `${root} cannot be written to (${code})`, 'make it writable and try again', 1);
}

function put(root: string, path: string, text: string, mayReplace: boolean): Fate {
  const there = readPlain(root, path);
  if (there === text) return 'kept';
  if (there !== undefined && !mayReplace) return 'different';
  const isAsSeen = (): boolean => readPlain(root, path) === there; // unchanged since it was read
  if (!openDir(root).write(path, text, isAsSeen)) return 'different';
  return there === undefined ? 'made' : 'rewritten';
}

function readPlain(root: string, path: string): string | typeof NOT_PLAIN | undefined {
  const read = openDir(root).text(path, LARGEST);
  return read.ok ? read.value : NOT_PLAIN;
}

const LARGEST = 1_000_000;

const SEAL = /^# Written by `andon init` \(([0-9a-f]{16})\); once edited, it is never written over\.\n/;

const seal = (page: string): string =>
  `# Written by \`andon init\` (${digest(page)}); once edited, it is never written over.\n${page}`;

/** A checkout may have changed the line ends; that is no edit. */
function isUntouched(text: string): boolean {
  const page = text.replaceAll('\r\n', '\n');
  const [first = '', digestThere] = SEAL.exec(page) ?? [];
  return digestThere === digest(page.slice(first.length));
}

const digest = (page: string): string => sha256(page).slice(0, 16);

/** The README of every `_handoff/`, this project's own included. */
export const HANDOFF_README = `# _handoff

andon's inbox and face in this project. Nothing here belongs into a commit.

| file | who writes it | who reads it | when it goes away |
|---|---|---|---|
| \`TASK_CONTRACT.json\` | you (\`andon new\`), then andon | andon, you | into the archive when the task ends |
| \`TASK_CONTRACT.json.lock\` | andon, at a halt | andon, you | becomes the contract again when you choose a path |
| \`CONTRACT_REJECTED.md\` | andon | you | when the refused file is gone, or corrected |
| \`PROPOSAL.md\` | you, or an agent of yours | andon, which writes \`PROPOSAL_DRAFT.md\` about it | when you approve it |
| \`PROPOSAL_DRAFT.md\` | andon | you: the contracts that would be made | with the proposal |
| \`PROPOSAL_FINAL.md\` | you: an approved proposal | andon, which makes the contracts | into the archive of its first task |
| \`PROPOSAL_REJECTED.md\` | andon | you | when the proposal is gone, or corrected |
| \`queue/PROPOSAL_TAKEN.md\` | andon, while it makes contracts | andon | a moment later |
| \`queue/PROPOSAL_TAKEN.*.contracts\` | andon: the contracts that are being made, all or none | andon | a moment later |
| \`queue/*.json\` | you | andon | when their turn comes |
| \`withdrawn/*.json\` | andon, for \`andon queue withdraw\` | you | never |
| \`REVIEW_REQUEST.md\`, \`REVIEW_IN_PROGRESS.md\` | andon; a judge outside renames the one to the other | the judge | when the report is there |
| \`JUDGE_REPORT.md\`, \`JUDGE_REPORT.json\` | andon, from the judge's answer; or a judge outside | you, scripts | into the archive |
| \`REBUTTAL.md\` | andon | the judge, you | into the archive |
| \`DECISION.json\` | you, at a halt (which path) or as the floor manager (merge, fix, rebut) | andon | into the archive |
| \`STALL_REPORT.md\` | andon | you | when you choose a path |
| \`ERIK_HALT.md\` | andon, at a halt; of several, the first whole and the others by name | you; andon never reads it | into the archive when you choose a path |
| \`tasks/<task_id>/\` | andon: the papers of a halted task, by the names above, once another one is to run | you | when the task goes on, or ends |
| \`STOP\` | you | andon: halts the task that runs and starts nothing while it is there | when you remove it |
| \`transition.ndjson\` | andon | you, scripts | never; above 5 MB it becomes \`transition.ndjson.1\` |
| \`archive/<task_id>/\` | andon | you | never |
`;
