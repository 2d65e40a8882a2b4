import type { DriverOutput, ShowRule } from '../../project/config/driver-output.ts';
import type { OutputPiece, ShowOutput } from '../agent.ts';
import { findFirstValue, getOwnValue, matchesEvent } from './event-rules.ts';

/** The rules of a driver; by default its answer is shown. */
export function showRulesOf({ show, answer }: DriverOutput): readonly ShowRule[] {
  if (show !== undefined) return show;
  if (answer?.take === undefined) return [];
  const where = answer.where ?? {};
  return [answer.which === 'join' ? { where, text_delta: answer.take } : { where, text: answer.take }];
}

/** What people see of an event, by every rule that it matches. Pure. */
export const readPieces = (event: unknown, rules: readonly ShowRule[]): readonly OutputPiece[] =>
  rules
    .filter(({ where }) => matchesEvent(event, where))
    .flatMap((rule) => {
      const parts = rule.each === undefined ? [event] : findFirstValue(event, rule.each);
      return Array.isArray(parts) ? parts.flatMap((part) => piecesOf(part, rule)) : [];
    });

function piecesOf(part: unknown, rule: ShowRule): readonly OutputPiece[] {
  const at = (paths: string | readonly string[] | undefined): string => {
    const found = paths === undefined ? undefined : findFirstValue(part, paths);
    return typeof found === 'string' ? found : '';
  };
  const tool = at(rule.tool);
  const step = at(rule.step);
  const pieces: readonly OutputPiece[] = [
    { kind: 'text', text: at(rule.text_delta) },
    { kind: 'text', text: wholeLine(at(rule.text)) },
    { kind: 'thought', text: at(rule.thought_delta) },
    { kind: 'thought', text: wholeLine(at(rule.thought)) },
    {
      kind: 'step',
      text: tool === '' ? '' : describeToolUse(tool, rule.input === undefined ? {} : findFirstValue(part, rule.input)),
    },
    { kind: 'step', text: step === '' || rule.verb === undefined ? step : `${rule.verb} ${step}` },
  ];
  return pieces.filter(({ text }) => text !== '');
}

/** A whole text ends its line. */
const wholeLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Tools by the names of the known programs, in lower case and without separators. */
const VERBS: readonly (readonly [string, RegExp])[] = [
  ['writes', /^(?:multi|notebook|str_?replace_?)?(?:edit|write|create|replace|apply_?patch)(?:_?file)?$/i],
  ['reads', /^(?:notebook)?_?(?:read|view|cat)(?:_?(?:many_?)?files?)?$/i],
  ['runs', /^(?:bash|shell|exec|powershell|terminal|run)(?:_?(?:shell)?_?command)?$/i],
  ['searches', /^(?:grep|glob|rg|search|find)(?:_?(?:search|file_?content|files?))?$/i],
  ['answers', /^structured_?output$/i],
];
/** The inputs that say most of a tool's use, in this order. */
const INPUTS = ['file_path', 'filePath', 'absolute_path', 'notebook_path', 'path', 'command', 'cmd', 'pattern', 'query', 'url', 'description']; // prettier-ignore

/** A use of a tool in words: `writes src/x.ts`. */
function describeToolUse(name: string, input: unknown): string {
  const verb = VERBS.find(([, pattern]) => pattern.test(name))?.[0] ?? name;
  const value = INPUTS.map((key) => getOwnValue(input, key)).find((one) => typeof one === 'string' && one !== '');
  return typeof value === 'string' ? `${verb} ${value}` : verb;
}

/** Shows bytes as text, in chunks of any size; bytes that are no UTF-8 become replacement characters. */
export function showText(show: ShowOutput): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  return (chunk) => show({ kind: 'text', text: decoder.decode(chunk, { stream: true }) });
}
