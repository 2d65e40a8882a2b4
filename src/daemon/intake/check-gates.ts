import { parseJson } from '../../base/json-object.ts';
import { createFault, toOneLine } from '../../base/fault.ts';
import type { GateCommand } from '../../contract/gate.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import { listMissingInputs } from '../../record/gate-inputs.ts';
import type { BaseContent } from '../../record/gate-inputs.ts';
import type { TreeIndex } from '../git/tree-index.ts';
import type { Services } from '../../wiring/services.ts';

/**
 * A gate of a contract that runs what comes with the change must be red before it, unless the contract says otherwise. A
 * contract without any gate is refused where the project demands one, and said aloud where it does not.
 */
export async function checkGates(
  services: Services,
  contract: TaskContract,
  commit: string,
  branch: string,
  { byPath, folders }: TreeIndex,
) {
  const { gates, holdout } = contract;
  const base: BaseContent = {
    has: (path) => byPath.has(path) || folders.has(path),
    ...(await scriptsOf(services, commit)),
  };
  const notices: string[] = [];
  const settled = (gate: GateCommand): GateCommand => {
    const missing = gate.mustFailBefore === undefined ? listMissingInputs(gate.run, base) : [];
    if (missing.length === 0) return gate;
    notices.push(
      `gate ${toOneLine(gate.name, 80)} runs ${missing.map((one) => toOneLine(one, 120)).join(', ')}, not on ${branch} yet: it must be red there and green after (must_fail_before)`,
    );
    return { ...gate, mustFailBefore: true };
  };
  const checked: TaskContract = {
    ...contract,
    gates: gates.map(settled),
    holdout: { ...holdout, gates: holdout.gates.map(settled) },
  };
  const { settings } = services;
  const ungated = settings.gates.length + gates.length + holdout.gates.length === 0;
  const isRefused = ungated && settings.requireGates;
  if (ungated && !isRefused) notices.push(UNGATED);
  return { contract: checked, ungated, notices, faults: isRefused ? [NONE] : [] };
}

const UNGATED =
  'there is no gate, neither in this contract nor in the project: only the reviewers decide (the merge will say `Andon-Gates: none`)';

const NONE = createFault(
  '$.gates',
  'no gate, neither here nor in the project',
  'at least one gate: the project demands it (`require_gates` in .andon/config.yaml)',
  '"gates": [{ "name": "test", "run": "npm test" }]',
);

/** The scripts of the base's package.json; none where it cannot be read. */
async function scriptsOf(
  services: Pick<Services, 'repository'>,
  commit: string,
): Promise<Pick<BaseContent, 'hasScript'>> {
  const bytes = (await services.repository.read(commit, ['package.json'])).get('package.json');
  const { scripts } = Object(parseJson(new TextDecoder().decode(bytes))) as { readonly scripts?: unknown };
  const known = typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  return { hasScript: (name) => known.includes(name) };
}
