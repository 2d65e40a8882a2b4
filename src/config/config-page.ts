import { parse, stringify } from 'yaml';
import { configJsonSchemas } from './config-schema.ts';
import { asWritten } from '../contract/task-contract-normalise.ts';
import { readSettings } from './read-settings.ts';
import type { Settings } from './config.ts';

/** The values of a configuration page by key; a missing key appears with its default. */
export type PageValues = Readonly<Record<string, unknown>>;

/**
 * The page `.andon/config.yaml` with every key that the schema knows: set values plain, all others commented out with
 * their defaults.
 */
export function renderConfigPage(values: PageValues): string {
  const keys = Object.entries(ROOT.properties ?? {}).map(([key, node]) => setting(key, node, values[key], [key]));
  return `${[INTRODUCTION, ...keys.map((rows) => rows.join('\n'))].join('\n\n')}\n`;
}

/** The values on a page, to write it again with others. */
export const readPageValues = (page: string): PageValues => (parse(page, { maxAliasCount: 20 }) ?? {}) as PageValues;

/** Keys of the schema for which the page would be empty: no description, or neither default nor example. */
export function listPageGaps(node = ROOT, path: readonly string[] = []): readonly string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, inner]) => {
    const place = [...path, key];
    const inside = inner.items?.properties === undefined ? inner : inner.items;
    const isPlain = inside.properties === undefined;
    const shows = !isPlain || known(place, inner) !== undefined || node.required?.includes(key);
    return [...(inner.description && shows ? [] : [place.join('.')]), ...listPageGaps(inside, place)];
  });
}

/** The part of JSON Schema that the configuration uses. */
interface Node {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
}

const ROOT = configJsonSchemas().project as Node;
const WIDTH = 110;
const INTRODUCTION = `# What this repository decides about its own line. Commit this file.
# A line that begins with \`#\` and no blank is a setting with its default: take the \`#\` away to change it.
# What a repository may not decide (cage, programs, environment) belongs in your own configuration: see docs/configuration.md of andon.`;

/** Examples for keys whose default is nothing. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  target: 'main',
  setup: ['npm ci'],
  share: ['node_modules'],
  gates: [{ name: 'test', run: 'npm test' }],
  'gates.results': 'junit.xml',
  'roles.floor_manager': 'gemini',
  protected_paths: ['infrastructure/'],
  'history.author': 'Jo Example <jo@example.org>',
  'history.committer': 'user',
  'history.template': '{type}({scope}): {title}',
  'history.scope': 'docs',
  'pipeline.enforcement.llm_judge_models': ['claude-haiku-4-5'],
};

/** Defaults that only the reader of the configuration knows, taken from it so that they stay true. */
const DEFAULTS: Readonly<Record<string, (settings: Settings) => unknown>> = {
  setup_inputs: ({ setupInputs }) => setupInputs,
  conventions: ({ conventions }) => conventions,
  judge: ({ judgeIsOutside }) => (judgeIsOutside ? 'external' : 'andon'),
  'roles.implementer': ({ roles }) => asWritten(roles.implementers),
  'review.role_priority': ({ review }) => review.priority,
  'history.co_authored_by': () => false,
  'local_review.on_critical': ({ onCritical }) => onCritical,
  'enforcement.response_validator.patterns.korean': () => [],
  'enforcement.response_validator.patterns.english': () => [],
  'enforcement.response_validator.patterns.chinese': () => [],
  'enforcement.response_validator.technical_terms': ({ messages }) => messages.responseValidator.technicalTerms,
  'enforcement.scope_guard.allowed_patterns': ({ messages }) => messages.scopeGuard.allowedPatterns,
};

/** One key: its purpose, then its value, commented out where it is not set. */
function setting(key: string, node: Node, value: unknown, path: readonly string[]): string[] {
  const pad = '  '.repeat(path.length - 1);
  const isSet = value !== undefined;
  const mark = isSet ? '' : '#';
  const prose = told(about(path, node, isSet), pad);
  if (node.properties !== undefined) {
    const inner = Object.entries(node.properties).flatMap(([name, one]) =>
      setting(name, one, (value as PageValues | undefined)?.[name], [...path, name]),
    );
    return [...prose, `${mark}${pad}${key}:`, ...inner];
  }
  if (node.items?.properties !== undefined) return [...prose, ...list(key, node.items, value, path)];
  return [...prose, ...yaml(key, isSet ? value : shown(path, node), pad, mark)];
}

/** A list of maps, such as the gates; missing keys of the last one are shown commented out. */
function list(key: string, item: Node, value: unknown, path: readonly string[]): string[] {
  const pad = '  '.repeat(path.length - 1);
  const isSet = value !== undefined;
  const items = (isSet ? value : shown(path, {})) as readonly PageValues[];
  const keys = Object.entries(item.properties ?? {});
  const prose = keys.flatMap(([name, node]) => told(`${name}: ${about([...path, name], node, isSet)}`, pad));
  const rows = items.flatMap((one, at) => {
    const [first = '', ...more] = stringify([one], OPTIONS).trimEnd().split('\n');
    const isLast = at === items.length - 1;
    const missing = isLast ? keys.filter(([name]) => one[name] === undefined) : [];
    return [
      ...[first, ...more].map((row) => `${isSet ? '' : '#'}${pad}  ${row}`),
      ...missing.flatMap(([name, node]) => yaml(name, shown([...path, name], node), `${pad}    `, '#')),
    ];
  });
  return [...prose, ...(items.length === 0 ? [`${pad}${key}: []`] : [`${isSet ? '' : '#'}${pad}${key}:`, ...rows])];
}

const OPTIONS = { lineWidth: 0 } as const;

const yaml = (key: string, value: unknown, pad: string, mark: string): string[] =>
  stringify({ [key]: value }, OPTIONS)
    .trimEnd()
    .split('\n')
    .map((row) => `${mark}${pad}${row}`);

function about(path: readonly string[], node: Node, isSet: boolean): string {
  const text = node.description ?? '';
  const choices = node.enum === undefined ? '' : ` One of: ${node.enum.join(', ')}.`;
  if (isSet || !(path.join('.') in EXAMPLES)) return text + choices;
  return `${text}${text.includes('Default') ? '' : ' Default: none.'} An example:`;
}

function told(text: string, pad: string): string[] {
  const rows: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = rows.at(-1);
    if (last === undefined || `${pad}# ${last} ${word}`.length > WIDTH) rows.push(word);
    else rows[rows.length - 1] = `${last} ${word}`;
  }
  return rows.map((row) => `${pad}# ${row}`);
}

const shown = (path: readonly string[], node: Node): unknown =>
  known(path, node) ?? node.enum?.[0] ?? { string: '', boolean: false, array: [] }[node.type ?? ''] ?? 0;

/** The shown value of a key: an example, a default of the reader, or the default in its description. */
function known(path: readonly string[], node: Node): unknown {
  const place = path.join('.');
  const standard = readSettings({ name: '', text: undefined }, { name: '', text: undefined }, '/');
  const asked = standard.ok ? DEFAULTS[place]?.(standard.value) : undefined;
  return EXAMPLES[place] ?? asked ?? node.default ?? defaultIn(node) ?? node.examples?.[0];
}

/** `Default: 24; …`, `Default 10.` or `Default: qwen2.5-coder.` in a description. */
function defaultIn({ description = '', type, enum: choices }: Node): unknown {
  const word = /Default:? (\S+?)[.;,]?(?=\s|$)/.exec(description)?.[1];
  if (word === undefined) return undefined;
  if (type === 'string') return choices === undefined || choices.includes(word) ? word : undefined;
  return type !== undefined && /^(?:-?\d+(?:\.\d+)?|true|false)$/.test(word)
    ? (JSON.parse(word) as unknown)
    : undefined;
}
