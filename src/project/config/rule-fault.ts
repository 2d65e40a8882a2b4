import { formatPlace } from '../../base/format-place.ts';
import { formatJsonPath, type JsonPath } from '../../base/fault.ts';

/** Where a rule was read from, for messages: a file of the project or the name of a shipped pack. */
export interface RuleSource {
  readonly name: string;
  /** 1-based line of the rule in its file, where it is known. */
  readonly line?: number;
}

/** Something wrong in a rule file; a rulebook with faults is exit code 2. */
export interface RuleFault {
  readonly source: RuleSource;
  /** The JSON path of the wrong value (`$.rules[0].match.pattern`). */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** A place in a file; the line is left out where it is not known. */
export const sourceAt = (name: string, line: number | undefined): RuleSource => ({
  name,
  ...(line === undefined ? {} : { line }),
});

/** A place in a file as editors read it: `rules.yaml:3`. */
export const formatRuleSource = ({ name, line }: RuleSource): string => formatPlace(name, line);

/** Something wrong in a file, at its place. */
export const faultAt = (
  name: string,
  line: number | undefined,
  path: JsonPath,
  message: string,
  remedy: string,
): RuleFault => ({ source: sourceAt(name, line), path: formatJsonPath(path), message, remedy });

/** The name of a variable. */
export const VARIABLE_NAME = /^(?!__)[A-Za-z_]\w{0,63}$/;
