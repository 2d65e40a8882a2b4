import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure, success, type Outcome } from '../../src/base/outcome.ts';
import type { Driven } from '../support/drivers.ts';

/** The packages that the drivers were measured with, and where their programs lie; opencode's own launcher wants a script to have run. */
const PACKAGES: Readonly<Record<Driven, { readonly name: string; readonly programs: readonly string[] }>> = {
  codex: { name: '@openai/codex@0.169.0', programs: ['.bin/codex'] },
  gemini: { name: '@google/gemini-cli@0.61.0', programs: ['.bin/gemini'] },
  qwen: { name: '@qwen-code/qwen-code@0.24.4', programs: ['.bin/qwen'] },
  opencode: {
    name: 'opencode-ai@1.18.33',
    programs: ['opencode-linux-x64-baseline/bin/opencode', 'opencode-linux-arm64/bin/opencode'],
  },
  copilot: { name: '@github/copilot@1.0.102', programs: ['.bin/copilot'] },
};
/** Outside the project, and kept: these are hundreds of megabytes. */
const FOLDER = join(tmpdir(), 'andon-real-agents-1');
const INSTALL_MS = 600_000;

/** The real programs, installed from npm once without any script of theirs; or in words why they cannot be had. */
export function installAgents(): Outcome<Readonly<Record<Driven, string>>, string> {
  try {
    if (!existsSync(join(FOLDER, 'node_modules'))) install();
    const found = Object.entries(PACKAGES).map(([name, { programs }]) => {
      const program = programs.map((path) => join(FOLDER, 'node_modules', path)).find((path) => existsSync(path));
      if (program === undefined) throw new Error(`${name} is not where it should be`);
      return [name, program];
    });
    return success(Object.fromEntries(found) as Record<Driven, string>);
  } catch (error) {
    return failure(`they could not be installed: ${String(error).split('\n').slice(0, 2).join(' ')}`);
  }
}

/** Beside its place first, so that a broken install is never taken for a whole one. */
function install(): void {
  const beside = mkdtempSync(`${FOLDER}.`);
  try {
    writeFileSync(join(beside, 'package.json'), '{ "private": true }\n');
    const packages = Object.values(PACKAGES).map(({ name }) => name);
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
    execFileSync('npm', args, { cwd: beside, stdio: 'pipe', timeout: INSTALL_MS });
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(beside, FOLDER);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}
