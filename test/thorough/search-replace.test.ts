/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { scriptModels } from '../support/models.ts';
import { judges, answerOnce, createReply, writes, type Call } from '../support/scenario.ts';

const PATH = 'src/long.ts';
const line = (number: number): string => `export const value${number} = ${number};`;
const LONG = `${Array.from({ length: 3000 }, (_, at) => line(at + 1)).join('\n')}\n`;
const changed = (...numbers: number[]): string =>
  numbers.reduce((text, number) => text.replace(`${line(number)}\n`, `export const value${number} = 0;\n`), LONG);
const block = (search: string, replace: string): string =>
  `FILE: ${PATH}\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
const zero = (number: number, search = line(number)): string => block(search, `export const value${number} = 0;`);
const QUOTES = judges('PASS', {
  evidence: [1500, 9].map((number) => ({ file: PATH, line: number, quote: line(number) })), // what goes
});
const contract = aContract({
  'constraints.allowed_paths': ['src/'],
  'constraints.max_diff_size': 500,
  'specification.target_file': PATH,
  'specification.requirements': ['value1500 is zero'],
});

/** A repository with a file of 3,000 lines and a model whose window holds it, unless a test says otherwise. */
async function aLongFile(implementer: readonly Call[], window = 131_072): Promise<Factory> {
  const factory = await aFactory({ apart: true, files: { [PATH]: LONG } });
  scriptModels(factory, { 'qwen2.5-coder': window }, { implementer, judge: [QUOTES] });
  return factory;
}

const prompts = (factory: Factory): readonly string[] => factory.calls('implementer').map(({ prompt }) => prompt);

describe('a file of 3,000 lines', () => {
  test('is changed by search and replace, and not a byte elsewhere', async () => {
    const factory = await aLongFile([createReply(zero(1500))]);
    expect((await factory.run(contract)).status).toBe('merged');
    expect(factory.read(PATH)).toBe(changed(1500));
    expect(prompts(factory)[0]).toContain(`For files of more than 400 lines (${PATH})`);
  });

  test('is shown in part to a model whose window is too small, and then cannot be overwritten whole', async () => {
    const factory = await aLongFile([answerOnce(writes({ [PATH]: changed(1500) })), createReply(zero(1500))], 16_384);
    expect((await factory.run(contract)).status).toBe('merged');
    const [first, second] = prompts(factory);
    expect(first).toContain('are not shown]');
    expect(first).toContain(line(1500));
    expect(first).not.toContain(line(2900));
    expect(second).toContain('Only parts of the file were shown');
    expect(factory.read(PATH)).toBe(changed(1500));
  });
});

describe('blocks that find no single place', () => {
  const misspelt = 'export const value1700 = 17000;';
  const half = `${zero(1500)}\n${zero(1700, misspelt)}`;

  test('are asked again alone, with the closest real lines, and are put beside those that were taken', async () => {
    const factory = await aLongFile([answerOnce(createReply(half)), createReply(zero(1700))]);
    expect((await factory.run(contract)).status).toBe('merged');
    expect(factory.read(PATH)).toBe(changed(1500, 1700));
    const [, second] = prompts(factory);
    for (const part of [misspelt, `1700 | ${line(1700)}`, `${PATH}: 1 block`, 'this one block only'])
      expect(second).toContain(part);
    expect(second).not.toContain('export const value1500 = 0;');
    expect(await factory.story()).toContain('answer refused in part (1 block to be corrected)');
  });

  test('are still the only ones asked after a crash', async () => {
    const factory = await aLongFile([
      answerOnce(createReply(half)),
      answerOnce(createReply(zero(1700), { does: [{ touch: 'asked' }, { 'wait-for': 'never' }] })),
      createReply(zero(1700)),
    ]);
    const dog = await factory.begin(contract, 'asked');
    await dog.kill9();
    const next = await factory.watch();
    expect(await factory.end(next)).toBe('merged');
    expect(factory.read(PATH)).toBe(changed(1500, 1700));
    expect(prompts(factory)[2]).toContain('this one block only');
  });

  test('stop the line when they are wrong for the fourth time in a row', async () => {
    const factory = await aLongFile([createReply(half)]);
    expect((await factory.run(contract)).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('stalled');
    expect(prompts(factory)).toHaveLength(4);
  });
});
