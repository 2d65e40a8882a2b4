/** A gate's command that makes its runner write results for programs, and the file or folder they are in. */
interface CommandWithResults {
  readonly run: string;
  /** Left out where the runner prints them. */
  readonly results?: string;
}

/**
 * Proposes the flag, and the file, by which the runner behind a script of a `package.json` writes machine-readable
 * results. Undefined where the runner is unknown, or is not the last command of the script and so gets no flag.
 */
export function proposeResults(
  run: string,
  script: string,
  { passesFlags }: { readonly passesFlags: '' | '--' },
): CommandWithResults | undefined {
  const commands = script.split(/&&|\|\||[;|\n]/);
  const last = (commands.at(-1) ?? '').trim().replace(STARTERS, '');
  const flagged = [run, passesFlags].filter((part) => part !== '').join(' ');
  if (/^vitest(?:\s|$)/.test(last))
    return {
      run: `${flagged} --reporter=default --reporter=junit --outputFile.junit=${JUNIT_FILE}`,
      results: JUNIT_FILE,
    };
  if (/^jest(?:\s|$)/.test(last))
    return { run: `${flagged} --json --outputFile=jest-results.json`, results: 'jest-results.json' };
  // Its message is YAML only in this version of TAP; every mocha knows this spelling of the option.
  if (/^mocha(?:\s|$)/.test(last)) return { run: `${flagged} --reporter=tap --reporter-options tapVersion=13` };
  // A flag behind the names of files would be one of the tests.
  if (/^node\s(?:.*\s)?--test(?:\s|$)/.test(last))
    return { run: `NODE_OPTIONS='${NODE_FLAGS}' ${run}`, results: JUNIT_FILE };
  return undefined;
}

export const JUNIT_FILE = 'junit.xml';

const STARTERS = /^(?:(?:npx|bunx|cross-env|\w+=\S+)\s+)+/;
const NODE_FLAGS = [
  ['spec', 'stdout'],
  ['junit', JUNIT_FILE],
]
  .map(([reporter, place]) => `--test-reporter=${reporter} --test-reporter-destination=${place}`)
  .join(' ');
