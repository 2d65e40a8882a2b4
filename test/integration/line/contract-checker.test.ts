import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintContract, openContractChecker } from '../../../src/line/intake/contract-checker.ts';
import { loadWorkspace } from '../../../src/project/workspace/load-workspace.ts';
import { fillDefaults } from '../../../src/project/contract/draft/contract-draft.ts';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';

const STANDARD = { project: 'P', implementer: ['a'], local_reviewer: 'b', judge: 'claude-code-cli' };

async function aChecker(files: Readonly<Record<string, string>>) {
  const factory = await aFactory({ files });
  const checker = await openContractChecker(await loadWorkspace(factory.repo, factory.env), factory.env);
  const faults = async (taskId: string, allowed_paths: readonly string[]): Promise<readonly string[]> => {
    const draft = fillDefaults({ task_id: taskId, requirements: ['-'], allowed_paths }, STANDARD);
    return (await checker.check(checker.write(draft))).faults.map(({ path }) => path);
  };
  return { factory, checker, faults };
}

test('an id that waits in the queue is refused, also under case folding', async () => {
  const { factory, checker, faults } = await aChecker({});
  factory.drop('half a contr', 'queue/DOC-009.json');
  expect(await faults('DOC-009', ['docs/'])).toEqual(['$.task_id']);
  writeFileSync(join(factory.handoff, 'queue/other.json'), '');
  expect(await faults('DOC-010', ['docs/'])).toEqual([]);
  checker.close();
});

test('a file that is not UTF-8 is refused as at admission; a mark of UTF-8 at its beginning is none of the text', async () => {
  const { factory, checker } = await aChecker({});
  const contract = JSON.stringify(aContract());
  const file = join(factory.handoff, '..', 'contract.json');
  const place = await loadWorkspace(factory.repo, factory.env);
  const faultsOf = async (bytes: Uint8Array): Promise<readonly string[]> => {
    writeFileSync(file, bytes);
    return (await lintContract(place, factory.env, file)).faults.map(({ found }) => found);
  };
  expect(await faultsOf(Buffer.from(contract))).toEqual([]);
  expect(await faultsOf(Buffer.from(`\ufeff${contract}`))).toEqual([]);
  for (const bytes of [
    Buffer.from(contract.replace('Project', 'Proj\u00e4ct'), 'latin1'),
    Buffer.from(`\ufeff${contract}`, 'utf16le'),
  ])
    expect(await faultsOf(bytes)).toEqual([expect.stringContaining('UTF-8')]);
  checker.close();
});

test('the scope of a sentence comes from paths, then from the names that files define', async () => {
  const { checker } = await aChecker({
    'lib/menu.js': 'export function renderSidebar() {}\n',
    'lib/data.bin': 'sidebar',
  });
  expect(await checker.findScope('The menu is short')).toEqual({
    paths: ['lib/menu.js'],
    others: [],
    isNamed: false,
    why: 'found by "menu"',
  });
  expect(await checker.findScope('The sidebar is short')).toEqual({
    paths: ['lib/menu.js'],
    others: [],
    isNamed: false,
    why: 'found by "sidebar"',
  });
  expect(await checker.findScope('Nothing of the kind')).toBeUndefined();
  checker.close();
});

test('a file that decides over gates is in the scope of a sentence only if nothing else is named', async () => {
  const { checker } = await aChecker({ 'lib/menu.js': '', 'package.json': '{}\n', 'vitest.config.ts': '' });
  const both = await checker.findScope('Shorten lib/menu.js, vitest.config.ts and package.json');
  expect(both).toMatchObject({ paths: ['lib/menu.js'], others: ['vitest.config.ts', 'package.json'], isNamed: false });
  expect(await checker.findScope('The package is short')).toBeUndefined();
  expect(await checker.findScope('Shorten package.json')).toMatchObject({ paths: ['package.json'], isNamed: true });
  const twice = 'The menu is short in lib/menu.js; do not touch package.json';
  expect(await checker.findScope(`${twice}\n\n${twice}`)).toMatchObject({ paths: ['lib/menu.js'], isNamed: true });
  checker.close();
});
