import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failure, success, type Outcome } from '../../src/base/outcome.ts';

/** The version that the expectations were measured with. */
const VERSION = '2.1.330';
const PACKAGE = '@anthropic-ai/claude-code';
/** Outside the project, and kept: 380 MB are not fetched again for every run. */
const FOLDER = join(tmpdir(), `andon-real-claude-${VERSION}`);
const INSTALL_MS = 300_000;

/** The real Claude Code, installed from npm once; or in words why it cannot be had. */
export function installClaude(): Outcome<string, string> {
  const program = join(FOLDER, 'node_modules/.bin/claude');
  try {
    if (!existsSync(program)) install();
    const version = execFileSync(program, ['--version'], { env: {}, stdio: 'pipe', timeout: 60_000 }).toString();
    return version.startsWith(VERSION) ? success(program) : failure(`${program} says it is ${version.trim()}`);
  } catch (error) {
    return failure(`${PACKAGE}@${VERSION} could not be installed: ${firstLine(error)}`);
  }
}

/** Beside its place first, so that a broken install is never taken for a whole one. */
function install(): void {
  const beside = mkdtempSync(`${FOLDER}.`);
  try {
    writeFileSync(join(beside, 'package.json'), '{ "private": true }\n');
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retries=0',
      `${PACKAGE}@${VERSION}`,
    ];
    execFileSync('npm', args, { cwd: beside, stdio: 'pipe', timeout: INSTALL_MS });
    rmSync(FOLDER, { recursive: true, force: true });
    renameSync(beside, FOLDER);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

const firstLine = (error: unknown): string => String(error).split('\n').slice(0, 2).join(' ');
