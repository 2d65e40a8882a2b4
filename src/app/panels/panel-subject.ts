import { withoutSecrets } from '../../rules/secrets/mask.ts';
import { quoteWeigher, toProjectPath } from '../../line/stations/evidence.ts';
import type { Gathered, SubjectOptions } from '../../rules/files/gather-subject.ts';
import { sha256 } from '../../base/sha256.ts';
import type { PanelSubject } from './ask-panel.ts';
import { Problem } from '../../base/problem.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { renderGateEvidence } from '../../line/reports/reports.ts';
import { describeContract } from '../../line/stations/brief.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';

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
