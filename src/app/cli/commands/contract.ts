import { resolve } from 'node:path';
import { describeFault } from '../../../base/fault.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { contractJsonSchema } from '../../../project/contract/task-contract-schema.ts';
import { hashContractFile, lintContract } from '../../../line/intake/contract-checker.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { hasFlag } from '../options.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { missingArgument, unexpectedArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon contract hash|lint|schema`: the hashes a contract names, every fault it has, and the schema for editors. */
export async function run(invocation: Invocation): Promise<number> {
  const [what, files] = invocation.args as ['lint' | 'hash' | 'schema', readonly string[]];
  if (what === 'schema') {
    if (files.length > 0) throw unexpectedArgument(files, 'andon contract schema');
    printJson(contractJsonSchema());
    return 0;
  }
  if (files.length === 0) throw missingArgument('file', `andon contract ${what} _handoff/TASK_CONTRACT.json`);
  return what === 'hash' ? hash(invocation, files) : lint(invocation, files);
}

function hash({ cwd, options }: Invocation, files: readonly string[]): number {
  const hashes = files.map((file) => ({ path: file, hash: hashContractFile(resolve(cwd, file)) }));
  if (hasFlag(options, 'json')) printJson(hashes);
  else for (const { path, hash: text } of hashes) printLine(`${text}  ${toTerminalLine(path)}`);
  return 0;
}

async function lint({ cwd, env, options }: Invocation, files: readonly string[]): Promise<number> {
  const place = await loadWorkspace(cwd, env);
  const paths = files.map((file) => resolve(cwd, file));
  const results = [];
  for (const file of files) results.push({ file, ...(await lintContract(place, env, resolve(cwd, file), paths)) });
  if (hasFlag(options, 'json')) printJson(results);
  else for (const { file, ...linted } of results) print(file, linted);
  return results.some(({ faults }) => faults.length > 0) ? 2 : 0;
}

function print(file: string, { faults, notices }: Awaited<ReturnType<typeof lintContract>>): void {
  if (faults.length === 0) printLine(`${colourText('green', 'ok')}  ${toTerminalLine(file)}`);
  for (const notice of notices) printLine(`    ${colourText('yellow', 'note')} ${toTerminalLine(notice, 400)}`);
  for (const fault of faults) {
    const { path, line: row } = fault;
    printLine(
      `${colourText('red', 'bad')} ${toTerminalLine(file)}${row === undefined ? '' : `:${row}`}  ${toTerminalLine(path)}`,
    );
    printLine(`    ${describeFault(fault)}`);
  }
}
