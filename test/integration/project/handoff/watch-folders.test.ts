import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchFolders } from '../../../../src/project/handoff/watch-folders.ts';
import { aFolder, until } from '../../sandbox/processes/a-runner.ts';

const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/** A watched _handoff/ folder, and how often it was said to have changed. */
async function aWatch() {
  const root = aFolder();
  const at = (name: string): string => join(root, name);
  for (const folder of ['queue', 'tasks/DOC-001']) mkdirSync(at(`_handoff/${folder}`), { recursive: true });
  mkdirSync(at('requests'));
  let count = 0;
  const troubles: string[] = [];
  const watch = watchFolders(
    at('_handoff'),
    at('requests'),
    () => (count += 1),
    (reason) => troubles.push(reason),
  );
  onTestFinished(() => watch.close());
  await until(() => count > 0); // it is ready
  const noticed = async (work: () => void, ms = 20_000): Promise<boolean> => {
    await pause(150);
    count = 0;
    work();
    return until(() => count > 0, ms);
  };
  return { at, noticed, troubles };
}

describe('watching', () => {
  it.each([
    '_handoff/TASK_CONTRACT.json',
    '_handoff/ERIK_HALT.md',
    '_handoff/JUDGE_REPORT.json',
    '_handoff/queue/next.json',
    '_handoff/tasks/DOC-001/ERIK_HALT.md',
    '_handoff/tasks/DOC-001/DECISION.json',
    'requests/1.ask.json',
  ])('notices %s', async (name) => {
    const { at, noticed } = await aWatch();
    expect(await noticed(() => writeFileSync(at(name), '{}'))).toBe(true);
    expect(await noticed(() => writeFileSync(at(name), '{"a":1}'))).toBe(true);
    expect(await noticed(() => rmSync(at(name)))).toBe(true);
  });

  it('notices a file that is renamed into its place, as editors and andon do', async () => {
    const { at, noticed } = await aWatch();
    writeFileSync(at('_handoff/TASK_CONTRACT.json'), '{}');
    writeFileSync(at('_handoff/.tmp'), '{"a":1}');
    expect(await noticed(() => renameSync(at('_handoff/.tmp'), at('_handoff/TASK_CONTRACT.json')))).toBe(true);
  });

  it('is left in peace by everything else', async () => {
    const { at, noticed } = await aWatch();
    const noise = (): void => {
      for (const name of ['transition.ndjson', '.TASK_CONTRACT.json.1.tmp', 'notes.md', 'queue/readme.txt'])
        writeFileSync(at(`_handoff/${name}`), 'x');
      mkdirSync(at('_handoff/archive/DOC-001'), { recursive: true });
      writeFileSync(at('_handoff/archive/DOC-001/TASK_CONTRACT.json'), '{}');
    };
    expect(await noticed(noise, 1000)).toBe(false);
  });

  it('goes on when the folder was deleted and made again', { tags: 'thorough' }, async () => {
    const { at, noticed, troubles } = await aWatch();
    await noticed(() => rmSync(at('_handoff'), { recursive: true }));
    await noticed(() => mkdirSync(at('_handoff/queue'), { recursive: true }));
    await pause(500);
    expect(await noticed(() => writeFileSync(at('_handoff/TASK_CONTRACT.json'), '{}'))).toBe(true);
    expect(await noticed(() => writeFileSync(at('_handoff/queue/a.json'), '{}'))).toBe(true);
    expect(troubles).toEqual([]);
  });
});
