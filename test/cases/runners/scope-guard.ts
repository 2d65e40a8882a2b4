import { gitPaths, checkScope } from '../../../src/rules/guards/scope-guard.ts';
import { namedFiles } from '../../../src/rules/guards/named-files.ts';
import type { Facts, Runner } from '../run-cases.ts';
import { textsOf } from '../shapes.ts';
import { onlyKnown, settingsOf } from './messages-of-rows.ts';

const KNOWN = ['allowed_patterns', 'enabled', 'expected', 'git', 'mode', 'modified', 'text'];

/** Files that were changed beside those that were expected, or the files that a text names. */
export const scopeGuard: Runner = ({ input }): Facts => {
  onlyKnown(input, KNOWN);
  const { allowed_patterns, enabled, mode, git, text } = input;
  if (typeof text === 'string' && !Object.hasOwn(input, 'expected')) return named(text);
  const { scope_guard: settings } = settingsOf('scope_guard', { allowed_patterns, enabled, mode });
  const expected = typeof text === 'string' ? namedFiles(text) : textsOf(input, 'expected');
  const modified = typeof git === 'string' ? gitPaths(git) : textsOf(input, 'modified').map((path) => ({ path }));
  const files = modified.map(({ path }) => path);
  if (!settings.enabled) return { in_scope: true, unexpected: [], files };
  const { inScope, unexpected, severity, reason } = checkScope(expected, modified, settings);
  return { in_scope: inScope, unexpected, severity, reason, files };
};

/** Some rows say what is to be built in place of the text. */
function named(text: string): Facts {
  const [, letters, slashes] = /^(\d+) word characters followed by (\d+) slashes$/.exec(text) ?? [];
  const built = letters === undefined ? text : `${'a'.repeat(Number(letters))}${'/'.repeat(Number(slashes))}`;
  const begun = performance.now();
  const files = namedFiles(built);
  return { files, ms: performance.now() - begun };
}
