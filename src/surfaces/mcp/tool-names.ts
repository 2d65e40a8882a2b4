import { sha256 } from '../../base/sha256.ts';

/** Model services take letters, digits, `_` and `-`; a client puts `mcp__andon__` in front, and 64 characters are the most. */
const MOST_CHARACTERS = 64 - 'mcp__andon__'.length;
const MARK_CHARACTERS = 8;

/** The name of the tool of each rule, by the rule's id; ids that become the same name, or are too long, get a mark. */
export function ruleToolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const plain = ids.map((id) => `rule_engine_${id.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`);
  return new Map(
    ids.map((id, at) => {
      const name = plain[at] ?? '';
      const isAlone = plain.filter((other) => other === name).length === 1;
      if (isAlone && name.length <= MOST_CHARACTERS) return [id, name];
      const mark = sha256(id).slice(0, MARK_CHARACTERS);
      return [id, `${name.slice(0, MOST_CHARACTERS - MARK_CHARACTERS - 1)}-${mark}`];
    }),
  );
}
