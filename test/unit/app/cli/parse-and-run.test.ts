import { describe, expect, it } from 'vitest';
import { commands } from '../../../../src/app/cli/commands/index.ts';
import { parseAndRun } from '../../../../src/app/cli/parse-and-run.ts';

const shell = { cwd: '/nowhere', env: {}, onSignal: () => {} };
const run = (line: string): Promise<number> => parseAndRun(line.split(' '), shell);

describe('an option that takes one value', () => {
  it.each([
    ['resume T-1 --path 1 --path 2', '--path is given twice, with different values: 1 and 2.'],
    ['resume T-1 --path=2 --reason a --path 1', '--path is given twice, with different values: 2 and 1.'],
    ['queue move T-1 --before A --before B', '--before is given twice, with different values: A and B.'],
    ['new a --id A-1 --id A-2', '--id is given twice, with different values: A-1 and A-2.'],
  ])('is refused when it is given two: %s', async (line, sentence) => {
    await expect(run(line)).rejects.toMatchObject({ code: 'bad-argument', exitCode: 2, message: sentence });
  });

  // An unknown word in another option is refused last, before the code of the command is loaded.
  it.each([
    'check --base main --base main --format nonsense',
    'check --base --base main --format nonsense',
    'check --file a.md --file b.md --format nonsense',
  ])('may be repeated with the same value, and a list with others: %s', async (line) => {
    await expect(run(line)).rejects.toThrow(/^Unknown value of --format/);
  });
});

describe('an option whose help begins with another option or an action', () => {
  it.each([
    ['show T-1 --since 2026-01-01', '--since needs --cost.', 'andon show --help'],
    ['check --var a=1', '--var needs --response.', 'andon check --help'],
    ['night --json', '--json needs --dry-run.', 'andon night --help'],
    ['start --service status --print', '--print needs --service install.', 'andon start --help'],
    ['rules list --mode strict', '--mode needs andon rules enforce.', 'andon rules --help'],
    ['agents list --watch', '--watch needs andon agents judge.', 'andon agents --help'],
    ['messages stats --from judge', '--from needs andon messages check.', 'andon messages --help'],
    ['queue --first', '--first needs andon queue move.', 'andon queue --help'],
  ])('is refused without it: %s', async (line, message, command) => {
    await expect(run(line)).rejects.toMatchObject({ code: 'bad-argument', message, remedy: `Run \`${command}\`.` });
  });

  it.each(
    commands.flatMap(({ usage, options = [] }) =>
      options
        .filter(([, text]) => /^With\b|^\w+: /.test(text))
        .map(([flags, text]) => ({ usage, options, flags, text })),
    ),
  )('names one that there is: $usage $flags', ({ usage, options, text }) => {
    const [, flag, action] = /^(?:With (--[\w-]+)(?: \w+)?|(\w+)): [A-Za-z]/.exec(text) ?? [];
    if (flag === undefined) expect(usage.split(/[ <>[\]|]+/)).toContain(action);
    else expect(options.map(([flags]) => flags.split(' ')[0])).toContain(flag);
  });
});
