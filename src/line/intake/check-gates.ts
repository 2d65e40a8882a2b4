import { parseJson } from '../../base/json-object.ts';
import { createFault, toOneLine } from '../../base/fault.ts';
import type { GateCommand } from '../../project/contract/gate.ts';
import { listMissingInputs, type BaseContent } from '../../project/contract/list-missing-inputs.ts';
import type { TaskContract } from '../../project/contract/task-contract.ts';
import type { TreeIndex } from '../git/tree-index.ts';
import type { Needs } from '../services/services.ts';

/**
 * A gate of a contract that runs a new file must be red on the base, unless the contract says otherwise. A contract without
 * any gate is refused where the project demands one, and else gets a notice.
 */
export async function checkGates(
  services: Needs<'repository' | 'settings'>,
  contract: TaskContract,
  commit: string,
  branch: string,
  { byPath, folders }: TreeIndex,
) {
  const { gates, holdout } = contract;
  const scripts = await listScripts(services, commit);
  const base: BaseContent = {
    has: (path) => byPath.has(path) || folders.has(path),
    hasScript: (name) => scripts.includes(name),
  };
  const notices: string[] = [];
  const complete = (gate: GateCommand): GateCommand => {
    const missing = gate.mustFailBefore === undefined ? listMissingInputs(gate.run, base) : [];
    if (missing.length === 0) return gate;
    notices.push(
      `gate ${toOneLine(gate.name, 80)} runs ${missing.map((one) => toOneLine(one, 120)).join(', ')}, not on ${branch} yet: it must be red there and green after (must_fail_before)`,
    );
    return { ...gate, mustFailBefore: true };
  };
  const checked: TaskContract = {
    ...contract,
    gates: gates.map(complete),
    holdout: { ...holdout, gates: holdout.gates.map(complete) },
  };
  const { settings } = services;
  const ungated = settings.gates.length + gates.length + holdout.gates.length === 0;
  if (ungated && !settings.requireGates) notices.push(UNGATED);
  return { contract: checked, ungated, notices, faults: ungated && settings.requireGates ? [NO_GATE] : [] };
}

const UNGATED =
  'there is no gate, neither in this contract nor in the project: only the reviewers decide (the merge will say `Andon-Gates: none`)';

const NO_GATE = createFault(
  '$.gates',
  'no gate, neither here nor in the project',
  'at least one gate: the project demands it (`require_gates` in .andon/config.yaml)',
  '"gates": [{ "name": "test", "run": "npm test" }]',
);

/** The scripts of the base's package.json; none where it cannot be read. */
async function listScripts(services: Needs<'repository'>, commit: string): Promise<readonly string[]> {
  const bytes = (await services.repository.read(commit, ['package.json'])).get('package.json');
  const { scripts } = Object(parseJson(new TextDecoder().decode(bytes))) as { readonly scripts?: unknown };
  return Object.keys(Object(scripts) as object);
}
