import { proposeResults } from './propose-results.ts';
import type { ProposedGate } from './stack.ts';

/** A workspace of a package, with tests, and the command that runs only them. */
interface TestedWorkspace {
  readonly folder: string;
  readonly script: string;
  readonly run: string;
}

/** One gate for each tested workspace, or why there is none: a sentence with what to paste. */
interface WorkspaceTests {
  readonly gates: readonly ProposedGate[];
  readonly note?: string;
}

/**
 * Proposes a gate for each workspace, with the results that its runner writes: one gate over all of them tells no counts,
 * and its output mixes theirs. Only where every runner is known; else a note names the gates that would have results.
 */
export function proposeWorkspaceTests(
  workspaces: readonly TestedWorkspace[],
  { passesFlags, maySplit }: { readonly passesFlags: '' | '--'; readonly maySplit: boolean },
): WorkspaceTests {
  const names = nameWorkspaces(workspaces);
  const known = workspaces.flatMap(({ folder, script, run }, at): readonly ProposedGate[] => {
    const proposed = proposeResults(run, script, { passesFlags });
    if (proposed === undefined) return [];
    const { results } = proposed;
    const name = `test ${names[at] ?? folder}`;
    return [{ name, ...proposed, ...(results !== undefined && { results: `${folder}/${results}` }) }];
  });
  if (maySplit && known.length === workspaces.length && known.length <= MOST_GATES) return { gates: known };
  if (workspaces.length === 0) return { gates: [] };
  const beginning = `the gate \`test\` runs the tests of ${workspaces.length === 1 ? 'one workspace' : `${workspaces.length} workspaces`} and writes no results by which andon counts them`;
  return {
    gates: [],
    note:
      known.length === 0 || known.length > MOST_GATES
        ? `${beginning}: let it write JUnit XML, TAP or JSON, and name the file as \`results\``
        : `${beginning}; ${known.length === workspaces.length ? 'these gates do, in its place' : 'add these gates, which do, and keep it for the others'}: ${known.map(formatGateLine).join(' ')}`,
  };
}

/** A gate as a line of `gates` in `.andon/config.yaml`. */
const formatGateLine = ({ name, run, results }: ProposedGate): string =>
  `- ${JSON.stringify({ name, run, ...(results !== undefined && { results }) })}`;

/** Whether a script of the root only runs the tests of its workspaces. */
export const runsWorkspacesOnly = (script: string): boolean =>
  /^(?:npm|pnpm|yarn|bun)\s[^&|;\n]*$/.test(script) && /\s(?:test|t)(?:\s|$)/.test(script) && IN_ALL.test(script);

const IN_ALL =
  /\s(?:--workspaces|-ws|-r|--recursive)(?:\s|$)|\sworkspaces\s+(?:run|foreach)\s|\s--filter[= ]['"]?\*['"]?(?:\s|$)/;

/** More gates than these take longer to begin than they tell. */
const MOST_GATES = 8;

/** The last part of each folder, or where two have the same one the whole path. */
function nameWorkspaces(workspaces: readonly TestedWorkspace[]): readonly string[] {
  const last = workspaces.map(({ folder }) => folder.slice(folder.lastIndexOf('/') + 1));
  return workspaces.map(({ folder }, at) =>
    last.filter((name) => name === last[at]).length > 1 ? folder.replaceAll('/', '-') : (last[at] ?? folder),
  );
}
