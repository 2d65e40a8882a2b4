import { isObject } from '../../base/json-object.ts';
import type { JsonPath } from '../../base/fault.ts';
import type { RuleSeverity } from '../model/rule-words.ts';
import { idFrom } from './dialect.ts';

/** The rules of a document, each with its path, and what was read differently from how it is written. */
interface ListedRules {
  readonly rules: readonly { readonly value: unknown; readonly path: JsonPath }[];
  /** The keys of the file; undefined where the document is no map of keys. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  readonly note: string | undefined;
}

/** Lists the rules of a document: under `rules:`, or in an older shape (a bare list, one rule by itself, `rule:`). */
export function listRules(value: unknown): ListedRules {
  if (Array.isArray(value))
    return { rules: numbered(value, []), settings: { rules: [] }, note: 'a bare list is read as `rules:`' };
  if (!isObject(value)) return { rules: [], settings: undefined, note: undefined };
  const { rules, rule } = value;
  if (!('rules' in value || 'rule' in value) && ('id' in value || 'name' in value))
    return { rules: [{ value, path: [] }], settings: { rules: [] }, note: 'a rule by itself is read as `rule:`' };
  const single = isObject(rule) ? [{ value: rule, path: ['rule'] }] : [];
  return {
    rules: [...single, ...(Array.isArray(rules) ? numbered(rules, ['rules']) : [])],
    settings: value,
    note: single.length === 0 ? undefined : '`rule:` is read as a list of one',
  };
}

const numbered = (values: readonly unknown[], under: JsonPath): ListedRules['rules'] =>
  values.map((value, at) => ({ value, path: [...under, at] }));

/** A rule in the keys of `andon.rules/v1`, and a note on each key that was written in another way. */
interface OwnRule {
  readonly value: unknown;
  readonly notes: readonly string[];
}

/** Converts older and foreign keys of one rule: the names of rulebound and of policies. Other keys stay unchanged. */
export function toOwnRule(written: unknown): OwnRule {
  if (!isObject(written)) return { value: written, notes: [] };
  const notes: string[] = [];
  const { name, description, ...rest } = completePolicy(written, notes);
  const id = String(rest['id']);
  const value = {
    ...rest,
    ...filled('title', rest['title'] ?? name),
    ...filled('content', rest['content'] ?? description),
    ...filled('severity', ownSeverity(id, rest['severity'], notes)),
    ...filled('scope', ownScope(id, rest['scope'], notes)),
    ...filled('quick_fix', ownQuickFix(rest)),
  };
  return { value, notes };
}

const filled = (key: string, value: unknown): object => (value === undefined ? {} : { [key]: value });

/**
 * A policy (`when X, then Y`) has a name and may be a hard constraint; it may have neither id nor severity. The id is made
 * of the name; a hard one is HIGH, another MEDIUM.
 */
function completePolicy(written: Fields, notes: string[]): Fields {
  const { name, enforcement_expression: expression, ...rest } = written;
  if (typeof name !== 'string' || !('action_text' in written || 'enforcement_expression' in written)) return written;
  const id = idFrom(name);
  const isHard = written['is_hard_constraint'] === true;
  const hasNoId = written['id'] === undefined && /[A-Za-z0-9]/.test(name);
  const hasNoSeverity = written['severity'] === undefined;
  if (hasNoId) notes.push(`${id}: the id is made of the name`);
  if (hasNoSeverity)
    notes.push(`${id}: no severity is named: ${isHard ? 'a hard constraint is read as HIGH' : 'read as MEDIUM'}`);
  return {
    ...(hasNoId ? { id } : {}),
    name,
    ...rest,
    ...(expression === null ? {} : filled('enforcement_expression', expression)),
    ...(hasNoSeverity ? { severity: isHard ? 'HIGH' : 'MEDIUM' } : {}),
  };
}

const SEVERITIES: Readonly<Record<string, RuleSeverity>> = { ERROR: 'HIGH', WARNING: 'MEDIUM', INFO: 'LOW' };

function ownSeverity(id: string, severity: unknown, notes: string[]): unknown {
  const word = typeof severity === 'string' ? severity.trim().toUpperCase() : '';
  const own = SEVERITIES[word];
  if (own === undefined) return severity;
  notes.push(`${id}: severity ${word.toLowerCase()} is read as ${own}`);
  return own;
}

/** `all`, or a list: `[all]` means everywhere; other names are parts of another tool's project. */
function ownScope(id: string, scope: unknown, notes: string[]): unknown {
  if (typeof scope === 'string' && scope.trim().toUpperCase() === 'ALL') return 'GLOBAL';
  if (!Array.isArray(scope) || !scope.every((name) => typeof name === 'string')) return scope;
  const isEverywhere = scope.every((name) => /^(?:all|global)$/i.test(name));
  const further = isEverywhere ? '' : '; narrow it with `stack`, `agents` or file patterns';
  notes.push(`${id}: scope [${scope.join(', ')}] is read as GLOBAL${further}`);
  return 'GLOBAL';
}

/** `quick_fix_type` and `max_fixes` of the metadata. */
function ownQuickFix({ quick_fix: fix, metadata }: Fields): unknown {
  const { quick_fix_type: type, max_fixes: most } = isObject(metadata) ? metadata : {};
  if (typeof type !== 'string' || (fix !== undefined && !isObject(fix))) return fix;
  const isCount = typeof most === 'number' && Number.isInteger(most) && most > 0;
  return { type, ...(isCount ? { max_fixes: most } : {}), ...fix };
}

type Fields = Readonly<Record<string, unknown>>;
