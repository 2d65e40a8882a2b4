import { onTestFinished, describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { EDITING_NAMES, REAL_KEY, editBy } from '../support/edit-drivers.ts';
import type { EditingName } from '../support/edit-drivers.ts';
import { aFactory } from '../support/factory.ts';
import type { Factory } from '../support/factory.ts';
import { modelApis } from '../support/model-apis.ts';
import type { Saying } from '../support/model-apis.ts';
import { FINAL } from '../support/scenario.ts';
import { installAgents } from './install-agents.ts';
import { installClaude } from './install-claude.ts';

// The real programs, let at a copy of the project in the cage of bubblewrap, with nothing but the model door: from the
// contract to the merge. The model behind the door is a script on the loopback, and the keys are none.

const programs = installAgents();
const claude = installClaude();
const ways: Readonly<Record<string, string>> = {
  ...(programs.ok ? programs.value : {}),
  ...(claude.ok ? { 'claude-code': claude.value } : {}),
};
const here = EDITING_NAMES.filter((name) => ways[name] !== undefined);
const missing = EDITING_NAMES.filter((name) => !here.includes(name));
if (missing.length > 0) console.warn(`not run: ${missing.join(', ')}: could not be installed`);

const PATH = 'docs/auth_final.md';
const PATIENCE_MS = 150_000;

/** Runs each command once, in order, then says that all is done; requests beside the work get a word. */
function does(...commands: readonly string[]): Saying {
  const left = [...commands];
  return (prompt, { tools }) => {
    if (!prompt.includes('You are the implementer') || tools.length === 0) return 'A title';
    const run = left.shift();
    return run === undefined ? 'I wrote docs/auth_final.md as the contract asks.' : { run };
  };
}

const WRITES = `printf '%s' '${FINAL}' > ${PATH}`;

async function aLine(program: EditingName, say: Saying, files: Readonly<Record<string, string>> = {}) {
  const api = await modelApis(say);
  onTestFinished(() => api.close());
  const factory = await aFactory({ files, cage: 'bubblewrap' });
  const name = editBy(factory, program, api.url, {
    program: ways[program] ?? '',
    profile: { limits: { idle_minutes: 2 } },
  });
  return { api, factory, name };
}

async function endOf(factory: Factory, changes: Parameters<typeof aContract>[0]): Promise<string> {
  const dog = await factory.watch();
  factory.drop(aContract(changes));
  await dog.until(() => factory.isHalted() || factory.isMerged(), PATIENCE_MS);
  return factory.isHalted() ? 'erik_consultation' : 'merged';
}

describe.each(here)('the real %s in the cage', (program) => {
  test('changes files itself, and the change is merged', async () => {
    const { factory, name, api } = await aLine(program, does(WRITES));
    expect(await endOf(factory, { 'roles.implementer': name }), factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(factory.git('show', `main:${PATH}`)).toBe(FINAL.trimEnd());
    const { calls } = (await factory.show('DOC-001')) as unknown as { calls: readonly Record<string, unknown>[] };
    expect(calls[0]).toMatchObject({ station: 'implementer', agent: program, ok: true });
    expect(new Set(api.asked.map(({ model }) => model))).toEqual(new Set(['m1']));
    expect(api.asked.every(({ headers }) => JSON.stringify(headers).includes(REAL_KEY))).toBe(true);
  });
});
