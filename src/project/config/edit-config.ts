import { YAMLMap, isNode, parseDocument, stringify } from 'yaml';
import { readJson } from '../../base/read-json.ts';
import { editJson } from '../../base/json-edit.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';

/**
 * Replaces a model in the user's configuration; comments and everything else stay. The change goes where it applies to
 * the project in `root`: into its own section if that has one for ollama.
 */
export function withModel(
  text: string,
  { root, model, standing }: { readonly root: string; readonly model: string; readonly standing: string },
): Outcome<{ readonly text: string; readonly key: string }, string> {
  const own = ['projects', root, 'agents', 'ollama'];
  const section = parseYaml(text).hasIn(own) ? own : ['agents', 'ollama'];
  const edited = editYaml(text, [...section, 'models'], { [model]: standing }, section.join('.'));
  return edited.ok ? success({ text: edited.value, key: [...section, 'models', model].join('.') }) : edited;
}

/** Changes mode or threshold of enforcement in the project's configuration; comments and everything else stay. */
export const withEnforcement = (
  text: string,
  values: { readonly mode?: string | undefined; readonly score_threshold?: number | undefined },
): Outcome<string, string> => editYaml(text, ['enforcement'], values, 'enforcement');

/** The same for `.rulebound/config.json`, whose keys differ. */
export const withRuleboundEnforcement = (
  text: string,
  values: { readonly mode?: string | undefined; readonly scoreThreshold?: number | undefined },
): Outcome<string, string> => editJsonMap(text, 'enforcement', values);

/** Sets keys of the map at a path of a YAML text; `name` is what cannot be added to. */
function editYaml(
  text: string,
  path: readonly string[],
  values: Readonly<Record<string, unknown>>,
  name: string,
): Outcome<string, string> {
  const document = parseYaml(text);
  if (document.errors.length > 0) return failure('it is not valid YAML');
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  // A page with only comments holds no map yet; appending keeps the comments.
  if (document.contents === null) {
    const map = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), Object.fromEntries(wanted));
    return success(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${stringify(map)}`);
  }
  try {
    for (let depth = 1; depth <= path.length; depth += 1) {
      const above = path.slice(0, depth);
      if ((document.getIn(above) ?? null) === null) document.setIn(above, mapFor(document.getIn(above, true)));
    }
    for (const [key, value] of wanted) document.setIn([...path, key], value);
  } catch {
    return failure(`${name} is written in a way that cannot be added to`);
  }
  return success(document.toString({ lineWidth: 0, indentSeq: indentsSequences(text) }));
}

const parseYaml = (text: string): ReturnType<typeof parseDocument> =>
  parseDocument(text, { strict: true, uniqueKeys: true, version: '1.2' });

function editJsonMap(text: string, key: string, values: Readonly<Record<string, unknown>>): Outcome<string, string> {
  if (!readJson(text).ok) return failure('it is not valid JSON');
  const wanted = Object.entries(values).filter(([, value]) => value !== undefined);
  try {
    return success(wanted.reduce((edited, [name, value]) => editJson(edited, [key, name], value), text));
  } catch {
    return failure('it holds no map of keys');
  }
}

export const renderProfile = (profile: object): string =>
  `# What this agent is held to; andon agents run <name> applies it. Programs are the user's matter.\n${stringify(profile)}`;

/** Whether lists are indented below their key; the first one decides. */
const indentsSequences = (text: string): boolean => !/^(\s*)[^\s#-][^\n]*:\s*\n\1- /m.test(text);

/** An empty map for a key without a value; the comment beside that key stays. */
function mapFor(nothing: unknown): YAMLMap {
  const map = new YAMLMap();
  if (isNode(nothing)) map.commentBefore = nothing.comment ?? nothing.commentBefore ?? null;
  return map;
}
