import { YAMLMap, isNode, parseDocument, stringify } from 'yaml';
import { readJson } from '../base/json.ts';
import { failure, success } from '../base/outcome.ts';
import type { Outcome } from '../base/outcome.ts';

/**
 * Replaces a model in the user's configuration; comments and everything else stay. The change goes where it applies to
 * the project in `root`: into its own section if that has one for ollama.
 */
export function withModel(
  text: string,
  { root, model, standing }: { readonly root: string; readonly model: string; readonly standing: string },
): Outcome<{ readonly text: string; readonly key: string }, string> {
  const document = parseDocument(text, { strict: true, uniqueKeys: true, version: '1.2' });
  if (document.errors.length > 0) return failure('it is not valid YAML');
  const own = ['projects', root, 'agents', 'ollama'];
  const section = document.hasIn(own) ? own : ['agents', 'ollama'];
  const path = [...section, 'models', model];
  try {
    for (let depth = 1; depth < path.length; depth += 1) {
      const above = path.slice(0, depth);
      if ((document.getIn(above) ?? null) === null) document.setIn(above, mapFor(document.getIn(above, true)));
    }
    document.setIn(path, standing);
  } catch {
    return failure(`${section.join('.')} is written in a way that cannot be added to`);
  }
  return success({ text: document.toString({ lineWidth: 0, indentSeq: indentsSequences(text) }), key: path.join('.') });
}

/** Changes mode or threshold of enforcement in the project's configuration; comments and everything else stay. */
export function withEnforcement(
  text: string,
  values: { readonly mode?: string | undefined; readonly score_threshold?: number | undefined },
): Outcome<string, string> {
  const document = parseDocument(text, { strict: true, uniqueKeys: true, version: '1.2' });
  if (document.errors.length > 0) return failure('it is not valid YAML');
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  // A page with only comments holds no map yet; appending keeps the comments.
  if (document.contents === null)
    return success(
      `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${stringify({ enforcement: Object.fromEntries(wanted) })}`,
    );
  try {
    if ((document.getIn(['enforcement']) ?? null) === null)
      document.setIn(['enforcement'], mapFor(document.getIn(['enforcement'], true)));
    for (const [key, value] of wanted) document.setIn(['enforcement', key], value);
  } catch {
    return failure('enforcement is written in a way that cannot be added to');
  }
  return success(document.toString({ lineWidth: 0, indentSeq: indentsSequences(text) }));
}

/** The same for `.rulebound/config.json`, whose keys differ; indentation stays. */
export function withRuleboundEnforcement(
  text: string,
  values: { readonly mode?: string | undefined; readonly scoreThreshold?: number | undefined },
): Outcome<string, string> {
  const read = readJson(text);
  if (!read.ok) return failure('it is not valid JSON');
  const { value } = read.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return failure('it holds no map of keys');
  const { enforcement } = value as { enforcement?: object };
  const wanted = Object.fromEntries(Object.entries(values).filter(([, one]) => one !== undefined));
  const changed = { ...value, enforcement: { ...enforcement, ...wanted } };
  return success(`${JSON.stringify(changed, null, indentationOf(text))}\n`);
}

/** Adds an agent to `.rulebound/agents.json`; order, other agents and indentation stay. */
export function withRuleboundAgent(text: string, name: string, said: object): Outcome<string, string> {
  const read = readJson(text);
  if (!read.ok) return failure('it is not valid JSON');
  const { value } = read.value;
  if (typeof value !== 'object' || Array.isArray(value)) return failure('it holds no map of keys');
  const { agents } = (value ?? {}) as { agents?: object };
  return success(`${JSON.stringify({ ...value, agents: { ...agents, [name]: said } }, null, indentationOf(text))}\n`);
}

/** A file of one agent profile. */
export const renderProfile = (said: object): string =>
  `# What this agent is held to; andon agents run <name> applies it. Programs are the user's matter.\n${stringify(said)}`;

/** The indentation of the first key of a JSON text. */
const indentationOf = (text: string): string => /^\{\s*\n([ \t]+)"/.exec(text)?.[1] ?? '  ';

/** Whether lists are indented below their key; the first one decides. */
const indentsSequences = (text: string): boolean => !/^(\s*)[^\s#-][^\n]*:\s*\n\1- /m.test(text);

/** An empty map for a key without a value; the comment beside that key stays. */
function mapFor(nothing: unknown): YAMLMap {
  const map = new YAMLMap();
  if (isNode(nothing)) map.commentBefore = nothing.comment ?? nothing.commentBefore ?? null;
  return map;
}
