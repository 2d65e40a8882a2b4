import { OLLAMA } from '../../base/agent-ids.ts';
import { PROXY_VARIABLES } from '../../base/environment-variables.ts';
import type { Driver } from '../../project/config/read-driver.ts';
import type { ServerDriver } from '../../project/config/server-driver.ts';
import type { ProgramSettings } from '../../project/config/read-settings.ts';
import type { Agent, Agents } from '../agent.ts';
import type { Clock } from '../../base/clock.ts';
import { buildChildEnvironment } from '../../sandbox/processes/environment.ts';
import type { RunProgram } from '../../sandbox/processes/run.ts';
import { createDrivenAgent, type DrivenContext } from './driven-agent.ts';
import { createOllama } from './ollama.ts';
import { createServedAgent } from './served-agent.ts';
import { maskKnown, maskKnownIn } from '../../base/known-secrets.ts';
import { failure, success } from '../../base/outcome.ts';
import { makePrivateFolder } from './private-folder.ts';

/** Proxy settings, which every program that uses a service may know. */
const NETWORK = [...PROXY_VARIABLES, 'NODE_EXTRA_CA_CERTS'];

/** The configuration and surroundings of agents. */
interface Opening extends Pick<DrivenContext, 'enclosure'> {
  readonly ollama: ProgramSettings;
  /** That of the usual judge among them. */
  readonly drivers: readonly (Driver | ServerDriver)[];
  readonly state: string;
  readonly clock: Clock;
  /** The user's environment, of which each program sees the variables that its driver names. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Every configured agent, by the name of its driver. Private folders of calls are below `state`. */
export function openAgents(run: RunProgram, { ollama, drivers, state, clock, enclosure, env }: Opening): Agents {
  const declared = drivers.map((driver): [string, Agent] => {
    if ('url' in driver) return [driver.name, createMaskingAgent(createServedAgent(driver, env, clock))];
    const sees = [...NETWORK, ...driver.pass, ...(driver.calls.edit?.door.keyEnv ?? [])];
    const privateFolder = () => makePrivateFolder(state);
    const around = { run, env: buildChildEnvironment(env, sees), privateFolder, enclosure };
    return [driver.name, createMaskingAgent(createDrivenAgent(driver, around))];
  });
  const coded = createMaskingAgent(createOllama(run, ollama, env));
  return { ...Object.fromEntries(declared), [OLLAMA]: coded } as Agents;
}

/**
 * Wraps an agent: known secrets are masked in its prompts and in its words. Its code, as text or in files, stays
 * unmasked, since masking changes code. A secret in code is refused where the code is taken.
 */
export const createMaskingAgent = (agent: Agent): Agent => ({
  ...agent,
  async run(call) {
    const result = await agent.run({ ...call, prompt: maskKnown(call.prompt) });
    if (!result.ok) return failure(maskKnownIn(result.why));
    const { edited, ...words } = result.value;
    const masked = { ...maskKnownIn(words), ...(edited === undefined ? {} : { edited }) };
    return success(call.isAnswerCode === true ? { ...masked, text: words.text } : masked);
  },
});
