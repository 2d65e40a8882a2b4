import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aClone } from './a-clone.ts';

const BIN = 'node_modules/.bin';

/** The PATH that agents and gates get when andon is started with this one. */
async function given(clone: ReturnType<typeof aClone>, path: string): Promise<readonly string[]> {
  clone.goOn();
  const run = clone.run('process.env.ANDON_PATH', path);
  expect(await run.ended, run.output()).toMatchObject({ code: 0 });
  const said = run
    .output()
    .split('\n')
    .filter((row) => row !== '' && !row.startsWith('[setup]'));
  return said.join('').split(delimiter);
}

/** What npm puts in front of PATH when it runs a script of a project. */
function putByNpm(project: string): readonly string[] {
  const above = dirname(project) === project ? [] : putByNpm(dirname(project)).slice(0, -1);
  return [join(project, BIN), ...above, '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin'];
}

describe('the PATH of agents and gates', () => {
  it('keeps every folder that the user put there, also below the clone or beside it', async () => {
    const clone = aClone();
    const own = [join(clone.clone, 'stand-ins'), `${clone.clone}-tools/bin`, join(clone.folder, BIN), `/srv/${BIN}`];
    expect(await given(clone, clone.path(...own))).toEqual(clone.path(...own).split(delimiter));
  });

  it('loses what npm put there for the clone, and keeps the same folder where the user put it', async () => {
    const clone = aClone();
    const own = [join(clone.folder, BIN), '/home/erik/bin'];
    const path = clone.path(...putByNpm(clone.clone), ...own);
    expect(await given(clone, path)).toEqual(clone.path(...own).split(delimiter));
  });

  it("loses andon's own tools, however often and by whatever name they are there", async () => {
    const clone = aClone();
    const link = join(clone.folder, 'link');
    symlinkSync(clone.clone, link);
    mkdirSync(join(clone.clone, 'tools/runtime'), { recursive: true });
    const tools = [join(clone.clone, 'tools/runtime', BIN), join(clone.clone, BIN), ...putByNpm(link)];
    const path = clone.path(...tools, '/home/erik/bin', join(clone.clone, BIN));
    expect(await given(clone, path)).toEqual(clone.path('/home/erik/bin').split(delimiter));
  });

  it("keeps what npm put there for the user's own project", async () => {
    const clone = aClone();
    const [theirs, ...above] = putByNpm(join(clone.folder, 'shop')).slice(0, -1);
    const path = clone.path(...putByNpm(clone.clone), ...putByNpm(join(clone.folder, 'shop')));
    expect(await given(clone, path)).toEqual(clone.path(theirs ?? '', ...above).split(delimiter));
  });
});
