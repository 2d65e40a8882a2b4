import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, inject, test } from 'vitest';
import { commands } from '../../src/app/cli/commands/index.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { SHELLS, type CompletingShell } from '../support/shells.ts';
import { stateOf } from '../support/places.ts';

const NAMES = commands.map(({ usage }) => usage.split(' ')[0] ?? '');
/** Text that a shell would run, expand or match if it ever looked at it as more than text. */
const HOSTILE = ['$(touch pwned)', '`touch pwned`', 'x; touch pwned', '*', '-rf', "DOC'2", 'a\nDOC-9'];

/** The options of a command, as its list has them. */
const optionsOf = (name: string): readonly string[] => {
  const { options = [] } = commands.find(({ usage }) => usage.split(' ')[0] === name) ?? {};
  return [...options.map(([flags]) => flags.split(' ')[0] ?? ''), '--help'].toSorted();
};

/** A repository with a file of a difficult name, and `andon` on the PATH of its shells. */
async function aProject(shell: CompletingShell) {
  const factory = await aFactory({ files: { 'notes/my plan.md': 'x\n', 'notes/other.md': 'x\n' } });
  const bin = join(factory.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'andon'),
    `#!/bin/sh\nexec '${process.execPath}' --disable-warning=ExperimentalWarning '${inject('andon')}' "$@"\n`,
  );
  chmodSync(join(bin, 'andon'), 0o755);
  const env = { ...factory.env, PATH: [bin, factory.env['PATH']].join(delimiter) };
  const { code, stdout: script } = await factory.andon('completion', shell.name);
  expect(code).toBe(0);
  const offersIn = (cwd: string, ...lines: readonly string[]) =>
    shell.offers({ cwd, env, scratch: factory.folder }, script, lines);
  const offers = (...lines: readonly string[]) => offersIn(factory.repo, ...lines);
  /** What the script is told at the end of a line; in the shell each line is a start of Node.js. */
  const told = async (line: string): Promise<readonly string[]> => {
    const { stdout } = await factory.andon('completion', shell.name, '--', ...line.split(' ').slice(1));
    return stdout.split('\n').flatMap((row) => /^[^:\s]+|^:files$/.exec(row) ?? []);
  };
  return { factory, env, offersIn, offers, told };
}

/** Writes a task id into the journal past andon, as somebody does who edits it. */
function smuggle(factory: Factory, ids: readonly string[]): void {
  const journal = new DatabaseSync(join(stateOf(factory), 'journal.sqlite'));
  const insert = journal.prepare('INSERT INTO entries (task_id, body, hash) VALUES (?, ?, ?)');
  for (const id of ids) insert.run(id, '{}', '');
  journal.close();
}

for (const shell of SHELLS) {
  describe(
    `in ${shell.name} (skipped where it is not installed)`,
    { tags: shell.name === 'bash' ? [] : 'thorough' },
    () => {
      const here = test.skipIf(!shell.isHere);

      here('every command and every option is offered, as the list of commands has them', async () => {
        const { told, offers } = await aProject(shell);
        const [all, ofWatch] = offers('andon ', 'andon watch --');
        expect(all?.filter((word) => !word.startsWith('-'))).toEqual(NAMES.toSorted());
        expect(ofWatch).toEqual(optionsOf('watch'));
        expect(await told('andon re')).toEqual(['resume', 'review']);
        for (const name of NAMES) expect((await told(`andon ${name} --`)).toSorted()).toEqual(optionsOf(name));
      });

      here('the words that an argument or an option may be are offered, and nothing where any text goes', async () => {
        const { offers, told } = await aProject(shell);
        const inShell: readonly (readonly [string, readonly string[]])[] = [
          ['andon resume --path ', ['1', '2']],
          ['andon resume --reason because --decision ', ['floor-manager', 'judge']],
          ['andon check --format s', ['sarif']],
          ['andon status ', []],
        ];
        const [afterSign = [], ...found] = offers('andon resume --path=', ...inShell.map(([line]) => line));
        expect(found).toEqual(inShell.map(([, words]) => words));
        expect(afterSign.map((word) => word.replace('--path=', ''))).toEqual(['1', '2']);
        for (const [line, words] of [
          ['andon completion ', ['bash', 'zsh', 'fish']],
          ['andon contract ', ['hash', 'lint', 'schema']],
          ['andon new --complexity m', ['minor', 'major']],
          ['andon new --require a b --judge ', []],
          ['andon no-such-command ', []],
          ['andon ci --format s', ['sarif']],
          ['andon feedback x --fa', ['--false']],
        ] as const)
          expect([line, (await told(line)).toSorted()]).toEqual([line, words.toSorted()]);
      });

      here('files are offered where a file goes, whatever they are called', async () => {
        const { offers, told } = await aProject(shell);
        const files = ['notes/my plan.md', 'notes/other.md'];
        const whole = (offered: readonly string[]): readonly string[] =>
          offered.map((file) => (file.includes('/') ? file : `notes/${file}`));
        for (const offered of offers('andon create --spec notes/', 'andon new --allow a notes/'))
          expect(whole(offered)).toEqual(files);
        for (const line of ['new --spec notes/', 'contract lint notes/', 'contract lint a b notes/'])
          expect([line, await told(`andon ${line}`)]).toEqual([line, [':files']]);
      });

      here('task ids are offered, and never one that is no task id', { tags: 'thorough' }, async () => {
        const { factory, offers, offersIn } = await aProject(shell);
        const { dog } = await factory.run(aContract({ task_id: 'DOC-001' }));
        await dog.stop();
        smuggle(factory, [...HOSTILE, 'DOC-002']);
        factory.git('worktree', 'add', '--quiet', '../beside');
        const both = ['DOC-001', 'DOC-002'];
        const lines = ['andon show ', 'andon resume D', 'andon logs --task ', 'andon show --cost '];
        expect(offers(...lines)).toEqual(lines.map(() => both));
        expect(offersIn(join(factory.repo, 'docs'), 'andon show ')).toEqual([both]);
        expect(offersIn(join(factory.folder, 'beside'), 'andon show ')).toEqual([both]);
        expect(offers('andon show DOC-001 ', 'andon show DOC-3')).toEqual([[], []]);
        expect(readdirSync(factory.repo)).not.toContain('pwned');
      });

      here('nothing that was typed is run', { tags: 'thorough' }, async () => {
        const { factory, offers } = await aProject(shell);
        const typed = '"$(touch pwned)"';
        // The line goes through bash itself before it is offered.
        const line = `andon resume --reason ${shell.name === 'bash' ? `'${typed}'` : typed} --decision `;
        expect(offers(line)).toEqual([['floor-manager', 'judge']]);
        expect(readdirSync(factory.repo)).not.toContain('pwned');
      });

      here(
        'nothing is offered and nothing is said where there is no repository, no task, or no journal to read',
        { tags: 'thorough' },
        async () => {
          const { factory, offers, offersIn } = await aProject(shell);
          expect(offersIn(factory.folder, 'andon show ')).toEqual([[]]);
          expect(offers('andon show ')).toEqual([[]]);
          await factory.andon('status');
          writeFileSync(join(stateOf(factory), 'journal.sqlite'), 'no database');
          factory.write('.andon/config.yaml', '{');
          expect(offers('andon show ')).toEqual([[]]);
        },
      );
    },
  );
}

describe('andon completion', () => {
  test('says what it expected where the shell is not known', async () => {
    const { andon } = await aFactory();
    const { code, stdout, stderr } = await andon('completion', 'powershell');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Unknown argument: powershell. Known: bash, zsh, fish.');
    expect(await andon('completion')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing argument: bash, zsh, fish.'),
    });
  });

  test('has help that says how it is installed, and the README points to it', async () => {
    const { andon } = await aFactory();
    const { stdout } = await andon('completion', '--help');
    for (const line of [
      'eval "$(andon completion bash)"',
      'source <(andon completion zsh)',
      'andon completion fish > ',
    ])
      expect(stdout).toContain(line);
    expect(readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')).toContain('`andon completion --help`');
  });

  test.skipIf(!SHELLS.some(({ name, isHere }) => name === 'zsh' && isHere))(
    'can be a file in the fpath of zsh as well',
    { tags: 'thorough' },
    async () => {
      const [, zsh] = SHELLS;
      if (zsh === undefined) throw new Error('zsh is the second shell');
      const { factory, env } = await aProject(zsh);
      writeFileSync(join(factory.folder, '_andon'), (await factory.andon('completion', 'zsh')).stdout);
      const place = { cwd: factory.repo, env, scratch: factory.folder };
      const setUp = `fpath=(${factory.folder} $fpath); compinit -u -D`;
      expect(zsh.offers(place, setUp, ['andon we', 'andon completion f'])).toEqual([['web'], ['fish']]);
    },
  );
});
