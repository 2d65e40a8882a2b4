// How a claude run goes on once its prompt is sent: the answer of the scenario, or one of the ways in which it fails.
import { existsSync, writeFileSync, utimesSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  doNothingForEver,
  estimateTokens,
  piecesOf,
  prepare,
  print,
  printError,
  sleep,
  textOfMegabytes,
} from './behaviours.mjs';
import { spentOn, toolUseId } from './claude-events.mjs';
import { behavioursOf, fill, replyOf } from './scenario.mjs';

/** The behaviours that only claude has. */
export const ANSWER_BEHAVIOURS = `
  no-structured-output denied-write api-error max-turns budget two-results stderr-noise hang retry usage-limit
  schema-retries not-logged-in report-file stale-report-file silent exit empty megabytes
  tool-uses failed-tool-uses unopened hands-in-first limit-warning chatter invalid-utf8 signal no-cost
`
  .trim()
  .split(/\s+/);
const REPORT_FILE = 'JUDGE_REPORT.json';
const STALE_SECONDS = 3600;
const MOST_RETRIES = 10;
const NOISE = [
  'Ignoring 2 permissions.allow entries from .claude/settings.json: this workspace has not been trusted.',
  'Warning: a plugin marketplace could not be reached.',
];

/** What the program says about an API error, by HTTP status or by name. */
const API_ERRORS = {
  400: 'Credit balance is too low',
  401: 'Invalid API key · Fix external API key',
  429: 'API Error: Request rejected (429) · Rate limited',
  500: 'API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment.',
  529: 'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.',
  refused: 'API Error: Connection refused — the server could not be reached (ECONNREFUSED)',
  'prompt-too-long': 'Prompt is too long',
};
const ERROR_NAMES = { 401: 'authentication_failed', 429: 'rate_limit', 529: 'overloaded' };

/**
 * Plays one call from the first event to the exit code.
 * @param {any} run what main() knows about this invocation
 * @param {import('./scenario.mjs').Call} call
 */
export async function play(run, call) {
  const { events, output, finish, scenario, given, prompt } = run;
  const does = behavioursOf(call);
  const answer = answerOf(run, call, does);
  const spent = spentOn(call.usage ?? {}, { in: estimateTokens(prompt), out: estimateTokens(answer.text) });
  Object.assign(run.spentSoFar, { in: spent.in, usd: spent.in * (spent.usd / Math.max(spent.in + spent.out, 1)) });

  await prepare(scenario, call, does);
  if (does.has('silent')) return doNothingForEver();
  if (does.has('empty') || (does.has('exit') && !answer.given)) return finish(Number(does.get('exit') ?? 0));
  if (does.has('stderr-noise')) await printError(`${NOISE.join('\n')}\n`);
  await output.emit(events.init());
  if (does.has('retry')) await retry(run, call, does);
  if (does.has('limit-warning')) await output.emit(events.rateLimit(undefined, 'allowed_warning'));
  await useTools(run, does, spent);
  if (does.has('chatter')) await chatter(run, does.get('chatter'), spent);
  if (does.has('hang')) return doNothingForEver();
  const failure = failureOf(run, does, spent);
  if (failure) return failure();

  writeReport(does, prompt, answer.structured);
  const denials = does.has('denied-write') ? [deniedWrite(does.get('denied-write'))] : [];
  for (const denial of denials) {
    await output.emit(events.toolUse(denial.tool_name, denial.tool_input, spent));
    await output.emit(events.permissionDenied(denial));
  }
  const before = does.has('two-results') ? await firstResult(run, spent) : undefined;
  for (const piece of piecesOf(answer.spoken, call)) {
    if (given['--include-partial-messages']) await output.emit(events.textDelta(piece));
    await output.emit(events.text(piece, spent));
    if (call.every_ms) await sleep(call.every_ms);
  }
  if (does.has('invalid-utf8')) await print(Buffer.from([0x22, 0xff, 0xfe, 0x0a]));
  if (does.has('signal')) process.kill(process.pid, does.get('signal'));
  const structured = given['--json-schema'] !== undefined && answer.structured !== undefined;
  if (structured) {
    const first = does.get('hands-in-first');
    if (first !== undefined) {
      const before = toolUseId();
      const other = { ...answer.structured, ...first };
      await output.emit(events.toolUse('StructuredOutput', other, spent, before));
      await output.emit(events.toolResult(before, 'Structured output provided successfully'));
    }
    const id = toolUseId();
    await output.emit(events.toolUse('StructuredOutput', answer.structured, spent, id));
    await output.emit(events.toolResult(id, 'Structured output provided successfully'));
  }
  const result = events.result({
    spent: before ? half(spent) : spent,
    total: spent,
    result: answer.text,
    permission_denials: denials,
    num_turns: 1 + denials.length,
    result_index: before ? 1 : 0,
    ...(does.has('no-cost') ? { total_cost_usd: undefined, modelUsage: undefined } : {}),
    ...(structured ? { structured_output: answer.structured, stop_reason: 'tool_use' } : {}),
  });
  await output.emit(result, answer.text);
  return finish(Number(does.get('exit') ?? 0));
}

/** Tools that are used before the answer: some work, some do not. A change that lies on the desk is read, as a judge does. */
async function useTools({ events, output }, does, spent) {
  if (existsSync('change.diff') && !does.has('unopened')) {
    const id = toolUseId();
    await output.emit(events.toolUse('Read', { file_path: resolve('change.diff') }, spent, id));
    await output.emit(events.toolResult(id, '1\tdiff --git'));
  }
  for (const [name, failed] of [
    ['tool-uses', false],
    ['failed-tool-uses', true],
  ]) {
    for (let use = 0; use < (does.get(name) ?? 0); use += 1) {
      const id = toolUseId();
      await output.emit(events.toolUse('Read', { file_path: resolve('change.diff') }, spent, id));
      await output.emit(events.toolResult(id, failed ? 'File does not exist.' : '1\tsome line', failed));
    }
  }
}

/** So many megabytes of events that are all in order, as of a very long run. */
async function chatter({ events, output }, megabytes, spent) {
  const text = textOfMegabytes(0.01);
  const one = JSON.stringify(events.text(text, spent)).length;
  for (let left = megabytes * 1024 * 1024; left > 0; left -= one) await output.emit(events.text(text, spent));
}

/** A failure that the API reports: `subtype` still says success. */
export async function failedAnswer({ events, output, finish }, { spent = { in: 0, out: 0, usd: 0 }, ...fields }) {
  await output.emit(events.own(fields.result));
  await output.emit(events.result({ spent, is_error: true, stop_reason: 'stop_sequence', ...fields }), fields.result);
  return finish(1);
}

/** A prompt that is larger than the context never leaves the program. */
export function blockedAnswer(run) {
  return failedAnswer(run, { result: 'Prompt is too long', terminal_reason: 'blocking_limit' });
}

/** A prompt that begins with a built-in command is that command, and no model sees it. */
export async function slashAnswer({ events, output, finish }) {
  await output.emit(events.result({ spent: { in: 0, out: 0, usd: 0 }, num_turns: 0, result: '' }), '');
  return finish(0);
}

/** The scenario's answer: what is said on the way (`spoken`), what the result holds (`text`), and the structured part. */
function answerOf({ given, prompt }, call, does) {
  const reply = does.has('megabytes') ? textOfMegabytes(does.get('megabytes')) : replyOf(call, prompt);
  const asked = given['--json-schema'] !== undefined;
  if (call.structured === undefined || does.has('no-structured-output')) {
    const text = reply ?? (does.has('no-structured-output') ? 'I have looked at everything and it is fine.' : '');
    return { given: reply !== undefined, spoken: text, text, structured: undefined };
  }
  const structured = withAnswers(fill(call.structured, prompt), prompt);
  const json = JSON.stringify(structured);
  return { given: true, spoken: reply ?? (asked ? '' : json), text: asked ? json : (reply ?? json), structured };
}

/**
 * A judge who is asked to answer a rebuttal does so finding by finding, as its schema wants it: a PASS accepts, anything
 * else refuses with the line that it quotes; what the scenario says itself stays.
 */
function withAnswers(structured, prompt) {
  const asked = /Answer in `rebuttal_answers` each of ((?:B\d+(?:, )?)+):/.exec(prompt)?.[1];
  if (asked === undefined || structured?.verdict === undefined || structured.rebuttal_answers !== undefined)
    return structured;
  const isPass = structured.verdict === 'PASS';
  const { file = null, line = null, quote = null } = isPass ? {} : (structured.evidence?.[0] ?? {});
  const answer = isPass ? 'ACCEPTED' : 'REFUSED';
  const answers = asked.split(', ').map((finding) => ({ finding, answer, why: 'looked again', file, line, quote }));
  return { ...structured, rebuttal_answers: answers };
}

/** The function that ends the run as a failure, when a behaviour or the budget asks for one. */
function failureOf(run, does, spent) {
  const { given } = run;
  const budget = given['--max-budget-usd'];
  if (does.has('not-logged-in')) {
    return () => failedAnswer(run, { result: 'Not logged in · Please run /login', terminal_reason: 'api_error' });
  }
  if (does.has('api-error')) return () => apiError(run, does.get('api-error'));
  if (does.has('usage-limit')) return () => usageLimit(run, does.get('usage-limit'));
  if (does.has('max-turns')) {
    const turns = Number(given['--max-turns'] ?? (does.get('max-turns') === true ? 3 : does.get('max-turns')));
    const errors = [`Reached maximum number of turns (${turns})`];
    const fields = { spent, num_turns: turns + 1, terminal_reason: 'max_turns', errors };
    return () => abandoned(run, 'error_max_turns', fields, `Error: Reached max turns (${turns})`);
  }
  if (does.has('budget') || (budget !== undefined && spent.usd > Number(budget))) {
    const cap = budget ?? '0.01';
    // The program looks at the price after each call, so it overshoots; its usage forgets the last call.
    const total = { ...spent, usd: Math.max(spent.usd, Number(cap) * 1.4) };
    const fields = {
      spent: { in: 0, out: 0, usd: 0 },
      total,
      terminal_reason: 'budget_exhausted',
      errors: [`Reached maximum budget ($${cap})`],
    };
    return () => abandoned(run, 'error_max_budget_usd', fields, `Error: Exceeded USD budget (${cap})`);
  }
  if (does.has('schema-retries')) {
    const errors = ['Failed to provide valid structured output after 5 attempts'];
    const fields = { spent, num_turns: 6, terminal_reason: 'structured_output_retry_exhausted', errors };
    return () => abandoned(run, 'error_max_structured_output_retries', fields, `Error: ${errors[0]}`);
  }
  return undefined;
}

/** A run that the program itself gave up: `errors` stands where `result` would be. */
async function abandoned({ events, output, finish }, subtype, fields, text) {
  await output.emit(events.result({ subtype, is_error: true, stop_reason: null, ...fields }), text);
  return finish(1);
}

function apiError(run, asked) {
  const status = asked?.status ?? asked;
  const named =
    status === 404
      ? `There's an issue with the selected model (${run.model}). It may not exist or you may not have access to it.`
      : API_ERRORS[status];
  return failedAnswer(run, {
    result: named ?? `API Error: ${status}`,
    api_error_status: typeof status === 'number' ? status : status === 'prompt-too-long' ? 400 : null,
    terminal_reason: status === 'prompt-too-long' ? 'prompt_too_long' : 'api_error',
    ...(status === 'refused' ? { api_error: 'connection_failed' } : {}),
  });
}

/** `asked` is the text behind the dot, such as "resets 3am (Europe/Berlin)", or {text, resets_at: seconds since 1970}. */
async function usageLimit(run, asked) {
  const { text, resets_at: resetsAt } = typeof asked === 'object' ? asked : { text: asked };
  await run.output.emit(run.events.rateLimit(resetsAt));
  const result = `You've hit your session limit · ${text === true ? 'resets 3am (UTC)' : text}`;
  return failedAnswer(run, { result, api_error_status: 429, terminal_reason: 'api_error' });
}

/** Retries are events in stream-json and silence in the other formats. `{"retry": {times, status, delay_ms}}` or a number. */
async function retry({ events, output }, call, does) {
  const asked = does.get('retry');
  const {
    times = 1,
    status = 529,
    delay_ms: delay = call.every_ms ?? 50,
  } = typeof asked === 'object' ? asked : { times: Number(asked) };
  const error = ERROR_NAMES[status] ?? 'server_error';
  for (let attempt = 1; attempt <= times; attempt += 1) {
    await output.emit(events.retry({ attempt, most: MOST_RETRIES, delay, status, error }));
    await sleep(delay);
  }
}

/** The result of a first turn, before a background task wakes the model for a second one. */
async function firstResult({ events, output }, spent) {
  const text = 'The background task is still running; I wait for it.';
  await output.emit(events.text(text, spent));
  await output.emit(events.result({ spent: half(spent), result: text }), text);
  return text;
}

function half(spent) {
  return { in: Math.floor(spent.in / 2), out: Math.floor(spent.out / 2), usd: spent.usd / 2 };
}

function deniedWrite(path) {
  const file = resolve(path === true ? 'src.ts' : path);
  return { tool_name: 'Write', tool_use_id: toolUseId(), tool_input: { file_path: file, content: 'export {};\n' } };
}

/** A model that may write leaves its report as a file; a stale one bears a time long before this run. */
function writeReport(does, prompt, structured) {
  for (const name of ['report-file', 'stale-report-file']) {
    if (!does.has(name)) continue;
    const asked = does.get(name);
    const report = asked === true ? structured : fill(asked, prompt);
    writeFileSync(REPORT_FILE, typeof report === 'string' ? report : `${JSON.stringify(report, undefined, 2)}\n`);
    const then = Date.now() / 1000 - STALE_SECONDS;
    if (name === 'stale-report-file') utimesSync(REPORT_FILE, then, then);
  }
}
