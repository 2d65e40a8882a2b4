import { join } from 'node:path';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import {
  reserveCall,
  runReserved,
  type ReservedCall,
  type StandaloneServices,
} from '../../agents/calls/run-standalone.ts';
import type { Needs } from '../../line/services/services.ts';
import {
  createQuestion,
  listCitedFiles,
  mentionTree,
  toTurn,
  type PanelBrief,
} from '../../line/panel/create-question.ts';
import { findRound } from '../../line/panel/settle.ts';
import type { Brief, AgentUsage } from '../../agents/agent.ts';
import { type WeighQuote, quoteWeigher, toProjectPath } from '../../line/stations/weigh-quotes.ts';
import type { PanelTurn } from '../../line/record/review.ts';
import { normaliseUsage } from '../../agents/budget/normalise-usage.ts';
import type { AgentProfile } from '../../project/config/agent-profiles.ts';
import { formatProfileRules } from '../../rules/files/profiles.ts';
import type { ProjectRulebook } from '../../rules/files/rulebook.ts';
import { explainNoWorker } from '../../agents/calls/explain-no-worker.ts';
import { resolveProfileWorker, type Worker } from '../../agents/calls/resolve-driver.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';
import type { Gathered, SubjectOptions } from '../../rules/files/gather-subject.ts';
import { sha256 } from '../../base/sha256.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { renderGateEvidence } from '../../line/reports/reports.ts';
import { describeContract } from '../../line/stations/describe-contract.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';

/** The subject of a review, as the panel sees it and its citations are verified against it. */
export interface PanelSubject extends PanelBrief {
  readonly tree: string;
  /** Verifies quotes; may also read unchanged files that are named here. */
  readonly weigh: (files: readonly string[]) => Promise<WeighQuote>;
  /** Writes the whole tree into a folder, for programs with read tools; undefined where there is only a diff. */
  readonly layOut: ((folder: string) => Promise<void>) | undefined;
}

export type PanelProgress =
  | { readonly kind: 'asked'; readonly seat: PanelMember; readonly round: 1 | 2 }
  | {
      readonly kind: 'answered';
      readonly seat: PanelMember;
      readonly turn: PanelTurn;
      readonly ms: number;
      readonly waiting: readonly string[];
    };

export interface ReviewerUsage {
  readonly reviewer: string;
  readonly round: 1 | 2;
  readonly usage: AgentUsage;
  readonly ms: number;
}

type World = StandaloneServices & Needs<'folders'>;

/**
 * Asks all reviewers at once, each in its own folder, then again about the others' findings where that can change the
 * result. The cost of a whole round is reserved before its first call; without room no call is made. A reviewer that
 * fails has no vote and is not retried.
 */
export async function askPanel(
  world: World,
  seats: readonly PanelMember[],
  material: PanelSubject,
  listener: (news: PanelProgress) => void,
  signal: AbortSignal,
): Promise<{ readonly turns: readonly PanelTurn[]; readonly used: readonly ReviewerUsage[] }> {
  const used: ReviewerUsage[] = [];
  const turns: PanelTurn[] = [];
  const names = seats.map(({ profile }) => profile.name);
  for (let next = findRound(names, turns); next !== undefined; next = findRound(names, turns)) {
    const { round, open } = next;
    const members = seats.filter(({ profile }) => open.includes(profile.name));
    turns.push(...(await askRound({ world, material, listener, signal, used }, members, round, [...turns])));
    if (signal.aborted) break;
  }
  return { turns, used };
}

interface Panel {
  readonly world: World;
  readonly material: PanelSubject;
  readonly listener: (news: PanelProgress) => void;
  readonly signal: AbortSignal;
  /** What its calls have used. */
  readonly used: ReviewerUsage[];
}

async function askRound(
  { world, material, listener, signal, used }: Panel,
  seats: readonly PanelMember[],
  round: 1 | 2,
  before: readonly PanelTurn[],
): Promise<readonly PanelTurn[]> {
  const questions = seats.map((seat) => {
    const { profile, rules } = seat;
    const shown = { ...material, asked: mentionTree(material.asked, seesTree(seat, material)) };
    return { seat, ...createQuestion({ name: profile.name, round }, before, shown, { roles: profile.roles, rules }) };
  });
  const taken = reserveRound(world, questions);
  const waiting = new Set(seats.map(({ profile }) => profile.name));
  return Promise.all(
    questions.map(async ({ seat, brief, read }, at): Promise<PanelTurn> => {
      const call = taken[at];
      if (call === undefined) throw new Error('a call was let through without a reserve');
      listener({ kind: 'asked', seat, round });
      const { profile, worker } = seat;
      const about = { reviewer: profile.name, round, tree: material.tree };
      const place = `review-${process.pid}-${profile.name}`;
      let turn: PanelTurn;
      let ms: number;
      try {
        const makeFolder = (): Promise<string> => folderFor(world, seat, place, material);
        const result = await runReserved(worker, call, { brief, makeFolder, signal });
        const usage = result.ok ? result.value : result.why;
        ms = usage.ms;
        used.push({ reviewer: profile.name, round, usage: normaliseUsage(usage), ms });
        if (!result.ok) turn = { ...about, noVote: `${result.why.kind}: ${result.why.detail}`.slice(0, 500) };
        else {
          const answer = await read(result.value, () => material.weigh(listCitedFiles(result.value)));
          turn = answer.ok ? { ...about, ...toTurn(answer.value) } : { ...about, noVote: `unreadable: ${answer.why}` };
        }
      } finally {
        world.folders.tidy(place);
      }
      waiting.delete(profile.name);
      listener({ kind: 'answered', seat, turn, ms, waiting: [...waiting] });
      return turn;
    }),
  );
}

const HARD_MINUTES = 60;

/** Reserves every call of a round, or none. */
function reserveRound(
  world: World,
  questions: readonly { readonly seat: PanelMember; readonly brief: Brief }[],
): readonly ReservedCall[] {
  const taken: ReservedCall[] = [];
  for (const { seat, brief } of questions) {
    const one = reserveCall(world, seat.worker, {
      station: 'local-reviewer',
      prompt: brief.prompt,
      minutes: HARD_MINUTES,
      isTyped: true,
    });
    if (!one.ok) {
      for (const before of taken) before.release();
      throw new Problem(
        'busy',
        `the whole round does not fit what your ceilings leave: ${toTerminalLine(`${seat.profile.name}: ${one.why.reason}`, 400)}`,
        'no reviewer was asked; run `andon status` for the usage, or name fewer reviewers',
      );
    }
    taken.push(one.value);
  }
  return taken;
}

/** The reviewer's own folder: empty, or with the tree for a read-only program. */
async function folderFor(world: World, seat: PanelMember, place: string, material: PanelSubject): Promise<string> {
  if (material.layOut === undefined || !seesTree(seat, material)) return world.folders.empty(place);
  const folder = world.folders.desk(place, new Map([['diff.patch', material.diff]]), []);
  await material.layOut(join(folder, 'tree'));
  return folder;
}

/** A program that reports the files it opened has read-only tools, so it may see a tree. */
const seesTree = ({ worker: { agent } }: PanelMember, { layOut }: PanelSubject): boolean =>
  layOut !== undefined && agent.worksAt.includes('judge');

/** One reviewer of a panel: a profile, its program and model, and its rules. */
interface PanelMember {
  readonly profile: AgentProfile;
  readonly worker: Worker;
  readonly rules: readonly string[];
}

/** The seats of profiles with a driver; a driver that cannot review is refused by name. */
export function listPanelMembers(
  services: Needs<'agents' | 'profiles' | 'settings'>,
  profiles: readonly AgentProfile[],
  book: Pick<ProjectRulebook, 'rules'>,
): readonly PanelMember[] {
  return profiles
    .filter(({ driver }) => driver !== undefined)
    .map((profile) => {
      const why = explainNoWorker(services, profile.name, 'local-reviewer');
      if (why !== undefined)
        throw new Problem(
          'bad-configuration',
          `${profile.name} cannot review: expected ${why}`,
          'choose a program of docs/agents.md, or add --rules-only',
        );
      return {
        profile,
        worker: resolveProfileWorker(services, profile.name),
        rules: formatProfileRules(profile, book),
      };
    });
}

/** The question to reviewers where there is no task. */
export interface PanelRequest {
  readonly words: string;
  readonly gates: string;
}

/**
 * The material of a subject: its patch, or whole files where it has none, with secrets of the change masked. Citations
 * are verified in the change and, where git keeps it, in the whole tree.
 */
export async function gatherPanelSubject(
  { subject, between }: Gathered,
  look: SubjectOptions,
  request: PanelRequest,
  nonce: string,
): Promise<PanelSubject> {
  const patch =
    between === undefined
      ? (look.diff?.text ?? wholeFiles(subject.files))
      : await between.repository.patch(between.span.from, between.span.to);
  const here = new Map(
    subject.files.map(({ path, content, added }) => [path, content?.split('\n') ?? sparse(added)] as const),
  );
  return {
    asked: request.words,
    gates: request.gates,
    diff: withoutSecrets(patch),
    nonce,
    tree: sha256(patch),
    layOut: between === undefined ? undefined : (folder) => between.repository.checkOut(between.span.to, folder),
    async weigh(files) {
      const texts = new Map<string, readonly string[]>(here);
      if (between !== undefined) {
        const known = new Set((await between.repository.files(between.span.to)).map(({ path }) => path));
        const wanted = [...new Set(files.map(toProjectPath))].filter((path) => known.has(path) && !texts.has(path));
        for (const [path, bytes] of await between.repository.read(between.span.to, wanted))
          texts.set(path, new TextDecoder().decode(bytes).split('\n'));
      }
      return quoteWeigher({
        patch: between === undefined && look.diff === undefined ? '' : patch,
        linesOf: (path) => texts.get(path),
        changed: [...here.keys()],
        gates: new Map(),
      });
    },
  };
}

const wholeFiles = (files: Gathered['subject']['files']): string =>
  files
    .map(({ path, content, added }) => {
      const lines = content?.split('\n') ?? added.map(({ text }) => text);
      return `=== ${path}\n${lines.map((text, at) => `${at + 1}\t${text}`).join('\n')}`;
    })
    .join('\n');

function sparse(lines: readonly { readonly line: number; readonly text: string }[]): readonly string[] {
  const all: string[] = [];
  for (const { line, text } of lines) all[line - 1] = text;
  return Array.from(all, (text) => text ?? '');
}

/** The change and requirements of a task as a review subject; a task without a change is refused. */
export async function loadTaskSubject(
  place: Workspace,
  record: TaskRecord,
): Promise<{ readonly look: SubjectOptions; readonly asked: PanelRequest }> {
  const { change, taskId } = record;
  if (change === undefined)
    throw new Problem('no-task', `${taskId} has no change yet`, 'Run `andon status` to see where it is.', 1);
  const repository = await openForReading(place);
  if ((await repository.resolve(change.base)) === undefined || (await repository.resolve(change.commit)) === undefined)
    throw new Problem(
      'no-task',
      `the commits of ${taskId} are missing from this repository`,
      `Run \`andon show ${taskId}\` to see them.`,
      1,
    );
  return {
    look: { span: { from: change.base, to: change.commit, title: `the change of ${taskId}` } },
    asked: { words: describeContract(record, true), gates: renderGateEvidence(record.gates, record.weakeningReport) },
  };
}
