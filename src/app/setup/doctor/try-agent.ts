import { parseJsonObject } from '../../../base/json-object.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { createUsageError } from '../../../base/problem.ts';
import { findProfile } from '../../../project/config/agent-profiles.ts';
import { listDriverNames } from '../../../project/config/read-driver.ts';
import { prepareEditCopy, runAgent } from '../../../agents/calls/run-agent.ts';
import { resolveDriver, type Worker } from '../../../agents/calls/resolve-driver.ts';
import { listDriverSources } from '../../../agents/drivers/open-drivers.ts';
import { NO_JOURNAL } from '../../../line/journal/open-journal.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { readWorkTreeProfiles } from '../../../rules/files/project-files.ts';
import { buildServices } from '../../../line/services/open-services.ts';
import type { Needs } from '../../../line/services/services.ts';
import type { AgentFailure, Brief } from '../../../agents/agent.ts';
import { getPrintedLines } from '../../../line/calls/call-agent.ts';
import { withoutSecrets } from '../../../rules/secrets/mask-secrets.ts';
import { DOCTOR_PLACE, failedCheck, warningCheck, passedCheck, type DoctorCheck } from './doctor-check.ts';

/** A word takes no model longer; one that tries a dead network again is ended by the first. */
const LIMITS = { usd: null, tokens: null, minutes: 5 };
const IDLE_MINUTES = 2;

const SAYS_NEEDS = 'docs/agents.md says what each program needs';
const NAME_ANOTHER = 'the program is understood, but the model does not follow instructions; name another one';

/**
 * One real call of each kind that an agent can take, and what was understood of its answer; this spends a few tokens.
 * `name` is a profile, or a driver.
 */
export async function* tryAgent(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<DoctorCheck> {
  const driver = findProfile(readWorkTreeProfiles(place.facts.root), name).found?.driver ?? name;
  const services = await buildServices(place, env, () => {}, NO_JOURNAL, 'examining', [driver]);
  const worker = resolveDriver(services, name);
  if (worker === undefined)
    throw createUsageError(
      `${toTerminalLine(name, 80)} is no profile with a driver, and no driver`,
      `drivers: ${listDriverNames(listDriverSources(place)).join(', ')}; profiles: ${services.profiles.profiles.map((one) => one.name).join(', ') || 'none'}`,
    );
  const fit = worker.edits ? worker.agent.fit?.() : undefined;
  const found = await (fit ?? worker.agent.probe(worker.model));
  yield found.ok
    ? passedCheck('program', found.value)
    : failedCheck('program', found.why, 'docs/agents.md says what it needs; nothing was asked: `andon agents list`');
  if (!found.ok) return;
  if (worker.agent.worksAt.includes('implementer') && worker.agent.writesText !== false)
    yield await tryCall(services, worker, 'text', signal);
  if (worker.agent.worksAt.includes('local-reviewer')) yield await tryCall(services, worker, 'review', signal);
  if (worker.edits) yield await tryEdit(services, worker, signal);
}

/** A call on a copy of the last commit, in the cage: whether one file was written. Nothing of it goes anywhere. */
async function tryEdit(
  services: Needs<'folders' | 'nonce' | 'repository'>,
  worker: Worker,
  signal: AbortSignal,
): Promise<DoctorCheck> {
  const row = 'edit call';
  const why = await worker.agent.editing?.unavailable();
  if (why !== undefined)
    return failedCheck(row, why, 'docs/agents.md says what it needs; nothing was asked: `andon agents list`');
  const head = await services.repository.resolve('HEAD');
  if (head === undefined)
    return failedCheck(
      row,
      'there is no commit to work on',
      'make a first commit: `git commit --allow-empty --message "First commit"`',
    );
  const file = `andon-${services.nonce()}.md`;
  const edit = prepareEditCopy(services, { taskId: DOCTOR_PLACE }, head, worker.agent);
  const prompt = `This is a trial. Write one file, ${file}, that holds one line, and change nothing else. Then say "done".\n`;
  try {
    await edit.layOut();
    const result = await runAgent(worker, LIMITS, {
      brief: { prompt },
      folder: edit.folder,
      edit,
      idleMinutes: IDLE_MINUTES,
      signal,
    });
    if (!result.ok) return failedCall(row, result.why);
    const { edited = [], tokensIn, tokensOut, ms } = result.value;
    const used = `${tokensIn ?? '?'} + ${tokensOut ?? '?'} tokens, ${(ms / 1000).toFixed(1)} s`;
    const paths = edited.map(({ path }) => path);
    if (paths.length === 1 && paths[0] === file) return passedCheck(row, `understood: it wrote the file (${used})`);
    return warningCheck(
      row,
      `it changed something else: ${toTerminalLine(paths.join(', '), 200)} (${used})`,
      NAME_ANOTHER,
    );
  } finally {
    services.folders.tidy(DOCTOR_PLACE);
  }
}

async function tryCall(
  services: Needs<'folders' | 'nonce'>,
  worker: Worker,
  kind: 'text' | 'review',
  signal: AbortSignal,
): Promise<DoctorCheck> {
  const word = `andon-${services.nonce()}`;
  const folder = services.folders.empty(DOCTOR_PLACE);
  try {
    const result = await runAgent(worker, LIMITS, {
      brief: createQuestion(kind, word),
      folder,
      idleMinutes: IDLE_MINUTES,
      signal,
    });
    const row = `${kind} call`;
    if (!result.ok) return failedCall(row, result.why);
    const { text, tokensIn, tokensOut, usd, ms } = result.value;
    const used = `${tokensIn ?? '?'} + ${tokensOut ?? '?'} tokens, ${usd === null ? 'cost unknown' : `$${usd.toFixed(4)}`}, ${(ms / 1000).toFixed(1)} s`;
    const message = toTerminalLine(text, 120);
    if (kind === 'text' ? text.includes(word) : isOpinion(text, word))
      return passedCheck(row, `understood: ${message} (${used})`);
    return warningCheck(row, `it answered something else: ${message} (${used})`, NAME_ANOTHER);
  } finally {
    services.folders.tidy(DOCTOR_PLACE);
  }
}

/** A call that failed, with the last lines that its program printed. */
function failedCall(row: string, why: AgentFailure): DoctorCheck {
  const { kind, detail, until } = why;
  return {
    ...failedCheck(
      row,
      withoutSecrets(`${kind}: ${detail}${until === undefined ? '' : `; back at ${until}`}`),
      kind === 'unavailable' ? 'on the line andon would wait for it' : SAYS_NEEDS,
    ),
    ...getPrintedLines(why),
  };
}

/** A question that takes a few tokens; the word shows that the answer is one to this question. */
function createQuestion(kind: 'text' | 'review', word: string): Brief {
  if (kind === 'text')
    return {
      prompt: `This is a trial. Answer with this one line and nothing else, and use no tool.\n\nFILE: ${word}.md\n`,
    };
  return {
    prompt: `This is a trial. Answer with one JSON object and nothing else, and use no tool: verdict is "PASS", word is "${word}".\n`,
    schema: {
      type: 'object',
      properties: { verdict: { type: 'string', enum: ['PASS', 'FAIL'] }, word: { type: 'string' } },
      required: ['verdict', 'word'],
      additionalProperties: false,
    },
  };
}

/** Whether an answer contains a JSON object with both fields, fenced or not. */
function isOpinion(text: string, word: string): boolean {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  return parseJsonObject<{ verdict: unknown; word: unknown }>(json, ['verdict', 'word'])?.word === word;
}
