import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import { aFolder, aRunner } from '../processes/a-runner.ts';
import { ENVIRONMENT, NOBODY } from './attacks.ts';
import { USERS } from './users.ts';

const probe = createBubblewrap(aRunner().run, { home: '/root', environment: ENVIRONMENT, hide: [], read: [] });
const why = (await probe.unavailable()) ?? ((await probe.keepsTrees('/')) ? undefined : 'no writes can be laid aside');

describe.skipIf(why !== undefined).each(USERS)(
  `a command that writes aside, run by %s${why === undefined ? '' : ` (skipped: ${why})`}`,
  (name, as) => {
    function aPlace() {
      const folder = aFolder();
      const tree = join(folder, 'state/a, b: c/tree');
      mkdirSync(join(tree, 'src'), { recursive: true });
      mkdirSync(join(folder, 'home'));
      writeFileSync(join(tree, 'src/a'), 'a\n');
      if (name === 'nobody') execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
      if (name === 'nobody') execFileSync('chmod', ['755', folder]);
      const world = { home: join(folder, 'home'), environment: ENVIRONMENT, hide: [join(folder, 'state')], read: [] };
      const cage = createBubblewrap(as(aRunner().run), world);
      const run = (script: string, signal = new AbortController().signal) =>
        cage.run({ run: script, tree, network: false, share: [], discards: true, timeoutMs: 20_000, signal });
      return { tree, run };
    }

    it('may do anything to its tree, and the tree stays as it was', async () => {
      const { tree, run } = aPlace();
      const spoil = `set -e; echo b > src/a; echo c > c; ln src/a d; rm src/a; rm -r src; mkdir -p src/.git
        echo x > src/.git/fill; test ! -e src/a; mv src other; chmod 700 .; echo t > /tmp/t; mkdir -p deep; ls -A`;
      expect(await run(spoil)).toMatchObject({ exit: 0, output: 'c\nd\ndeep\nother\n' });
      const look = `cat src/a; ls -A . src; test -e /tmp/t && echo left; stat -c %a .`;
      expect(await run(look)).toMatchObject({ exit: 0, output: 'a\n.:\nsrc\n\nsrc:\na\n755\n' });
      expect(readdirSync(tree, { recursive: true })).toEqual(['src', 'src/a']);
      expect(readFileSync(join(tree, 'src/a'), 'utf8')).toBe('a\n');
    });

    it('gets no rights by it, and is nobody else', async () => {
      const { run } = aPlace();
      const uid = name === 'nobody' ? NOBODY : (process.getuid?.() ?? 0);
      const { output } = await run(
        'id -u; grep -E "Cap(Eff|Prm|Inh|Amb|Bnd)|NoNewPrivs" /proc/self/status; unshare -m true',
      );
      expect(output).toMatch(new RegExp(`^${uid}\n(Cap...:\t0{16}\n){5}NoNewPrivs:\t1\n`));
      expect(output).toMatch(/Operation not permitted/);
    });

    it('leaves nothing of 30,000 files and a folder 2,000 deep', { tags: 'thorough' }, async () => {
      const { tree, run } = aPlace();
      const many = `for (let i = 0; i < 30000; i++) fs.writeFileSync('f' + i, '');`;
      const deep = `for (let i = 0; i < 2000; i++) { fs.mkdirSync('0123456789'); process.chdir('0123456789'); }`;
      expect(await run(`node -e "${many} ${deep} console.log('done')"`)).toMatchObject({ exit: 0, output: 'done\n' });
      expect(readdirSync(tree)).toEqual(['src']);
      rmSync(`${tree}.aside`, { recursive: true });
      expect(existsSync(`${tree}.aside`)).toBe(false);
    });

    it('ends with everything in it when andon says so', async () => {
      const { run } = aPlace();
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 500);
      expect(await run('sleep 60 & sleep 60', abort.signal)).toMatchObject({ ended: 'aborted' });
    });
  },
);
