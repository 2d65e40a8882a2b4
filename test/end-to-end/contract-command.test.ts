import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { AUTH_V1, aFactory } from '../support/factory.ts';

describe('andon contract', () => {
  test('hash gives the hash of a file as a contract names it', async () => {
    const factory = await aFactory();
    const hash = `sha256-${createHash('sha256').update(AUTH_V1).digest('hex')}`;
    expect((await factory.andon('contract', 'hash', 'docs/auth_v1.md')).stdout).toBe(`${hash}  docs/auth_v1.md\n`);
  });

  test('schema gives editors the schema that this project ships', async () => {
    const factory = await aFactory();
    const shipped = readFileSync(join(import.meta.dirname, '../../contracts/task-contract.schema.json'), 'utf8');
    const printed = await factory.andon('contract', 'schema');
    expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(shipped));
  });

  test(
    'lint says ok to a good contract and names every fault of a bad one, and drops neither',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const gates = [{ name: 'there', run: 'test -f docs/auth_final.md' }];
      writeFileSync(join(factory.folder, 'good.json'), JSON.stringify(aContract({ gates })));
      writeFileSync(join(factory.folder, 'bad.json'), JSON.stringify({ ...aContract(), project: '', limmits: {} }));
      expect(await factory.andon('contract', 'lint', '../good.json')).toMatchObject({
        code: 0,
        stdout: 'ok  ../good.json\n',
      });
      const bad = await factory.andon('contract', 'lint', '../bad.json');
      expect(bad.code).toBe(2);
      expect(bad.stdout).toContain('$.project');
      expect(bad.stdout).toContain('the nearest is limits');
      expect(factory.paper('TASK_CONTRACT.json')).toBeUndefined();
      expect((await factory.andon('contract', 'lint', '../none.json')).code).toBe(2);
    },
  );

  test(
    'lint and new say which gate must be red before, because what it runs comes with the change',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const gates = [{ name: 'new', run: 'node --test docs/new.test.js' }];
      writeFileSync(join(factory.folder, 'new.json'), JSON.stringify(aContract({ gates })));
      const said = 'gate new runs docs/new.test.js, not on main yet: it must be red there and green after';
      expect((await factory.andon('contract', 'lint', '../new.json')).stdout).toContain(said);
      const flags = [
        '--id',
        'A',
        '--allow',
        'docs/',
        '--require',
        'It is so',
        '--gate',
        'new=node --test docs/new.test.js',
      ];
      expect((await factory.andon('new', ...flags, '--print')).stderr).toContain(said);
    },
  );

  test.each(['lint', 'hash'])(
    '%s refuses what is no plain file in words, and waits for no pipe',
    { tags: 'thorough' },
    async (what) => {
      const factory = await aFactory();
      execFileSync('mkfifo', [join(factory.folder, 'pipe')]);
      for (const [name, why] of [
        ['../pipe', 'is not a plain file'],
        ['docs', 'is not a plain file'],
        ['../none.json', 'There is no file'],
      ] as const) {
        const { code, stderr } = await factory.andon('contract', what, name);
        expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
        expect(stderr).toContain('Name a plain file');
      }
    },
  );

  test(
    'lint and admission refuse a contract that opens only protected places, and say how one is opened',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const closed = aContract({
        'constraints.allowed_paths': ['.github/workflows/**', '.git/**', '_handoff/'],
        'specification.target_file': undefined,
        'specification.source_files': [],
      });
      writeFileSync(join(factory.folder, 'closed.json'), JSON.stringify(closed));
      const linted = await factory.andon('contract', 'lint', '../closed.json');
      expect(linted.code).toBe(2);
      expect(linted.stdout).toContain('$.constraints.allowed_paths');
      expect(linted.stdout).toContain('expected at least one path that is not protected');
      expect(linted.stdout).toContain('.github/workflows/ci.yml');
      const made = await factory.andon('new', '--id', 'X', '--require', 'It is so', '--allow', '.github/workflows/**');
      expect(made).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('at least one path that is not protected'),
      });
      const dog = await factory.begin(closed);
      await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('at least one path that is not protected'));
    },
  );

  test('lint notes which allowed paths stay closed beside one that is open', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const half = aContract({ 'constraints.allowed_paths': ['docs/', '.github/workflows/'] });
    writeFileSync(join(factory.folder, 'half.json'), JSON.stringify(half));
    const { code, stdout } = await factory.andon('contract', 'lint', '../half.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ok {2}\.\.\/half\.json\n {4}note there is no gate, .*\n {4}note constraints\.allowed_paths opens nothing by \.github\/workflows\/: /,
    );
  });
});
