import { resolve } from 'node:path';
import { faultInWords } from '../../../base/fault-in-words.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { contractJsonSchema } from '../../../contract/task-contract-schema.ts';
import { contractHash, lintContract } from '../../../daemon/intake/lint-contract.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { flag } from '../options.ts';
import { json, line, styled } from '../print.ts';
import { missingArgument, unexpectedArgument, unknownWord } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon contract hash|lint|schema`: the hashes a contract names, every fault it has, and the schema for editors. */
export async function run(invocation: Invocation): Promise<number> {
  const [what, files] = invocation.args as [string, readonly string[]];
  if (what === 'schema') {
    if (files.length > 0) throw unexpectedArgument(files, 'andon contract schema');
    json(contractJsonSchema());
    return 0;
  }
  if (what !== 'hash' && what !== 'lint')
    throw unknownWord('action', what, ['lint', 'hash', 'schema'], 'andon contract --help');
  if (files.length === 0) throw missingArgument('file', `andon contract ${what} _handoff/TASK_CONTRACT.json`);
  return what === 'hash' ? hash(invocation, files) : lint(invocation, files);
}

function hash({ cwd, options }: Invocation, files: readonly string[]): number {
  const hashes = files.map((file) => ({ path: file, hash: contractHash(resolve(cwd, file)) }));
  if (flag(options, 'json')) json(hashes);
  else for (const { path, hash: text } of hashes) line(`${text}  ${inOneTerminalLine(path)}`);
  return 0;
}

async function lint({ cwd, env, options }: Invocation, files: readonly string[]): Promise<number> {
  const place = await findPlace(cwd, env);
  const paths = files.map((file) => resolve(cwd, file));
  const results = [];
  for (const file of files) results.push({ file, ...(await lintContract(place, env, resolve(cwd, file), paths)) });
  if (flag(options, 'json')) json(results);
  else for (const { file, ...linted } of results) print(file, linted);
  return results.some(({ faults }) => faults.length > 0) ? 2 : 0;
}

function print(file: string, { faults, notices }: Awaited<ReturnType<typeof lintContract>>): void {
  if (faults.length === 0) line(`${styled('green', 'ok')}  ${inOneTerminalLine(file)}`);
  for (const notice of notices) line(`    ${styled('yellow', 'note')} ${inOneTerminalLine(notice, 400)}`);
  for (const fault of faults) {
    const { path, line: row } = fault;
    line(
      `${styled('red', 'bad')} ${inOneTerminalLine(file)}${row === undefined ? '' : `:${row}`}  ${inOneTerminalLine(path)}`,
    );
    line(`    ${faultInWords(fault)}`);
  }
}
