import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Factory } from './factory.ts';

/** The watcher loop of the blueprint, letter by letter. */
const LOOP = `while true; do
  if [ -f "_handoff/REVIEW_REQUEST.md" ]; then
    echo "🔍 Review request detected. Starting Claude Code..."
    # Update status in contract to prevent double-triggering
    mv _handoff/REVIEW_REQUEST.md _handoff/REVIEW_IN_PROGRESS.md
    
    # Run Claude for a SINGLE atomic review
    claude-code --non-interactive "Read _handoff/TASK_CONTRACT.json, review the target files, write JUDGE_REPORT.md and JUDGE_REPORT.json, then exit."
    
    rm _handoff/REVIEW_IN_PROGRESS.md
  fi
  sleep 5
done
`;

/** The wrapper that docs/configuration.md shows for the command that the loop names. */
export function wrapper(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
  const found = /```sh\n(#!\/bin\/sh\n# claude-code[^`]*)```/.exec(page)?.[1];
  if (found === undefined) throw new Error('docs/configuration.md shows no claude-code');
  return found;
}

/** Runs the loop in the project, with the wrapper and a program for its `claude` on PATH. */
export function runLoop(factory: Factory, claude: string, env: Readonly<Record<string, string>>): void {
  const programs = join(factory.folder, 'programs');
  mkdirSync(programs, { recursive: true });
  const write = (name: string, text: string): void => {
    writeFileSync(join(programs, name), text);
    chmodSync(join(programs, name), 0o755);
  };
  write('claude-code', wrapper());
  write('claude', `#!/bin/sh\nexec '${claude}' "$@"\n`);
  const bash = spawn('bash', ['-c', LOOP], {
    cwd: factory.repo,
    env: { ...env, PATH: `${programs}:${factory.env['PATH'] ?? ''}` },
    stdio: 'ignore',
    detached: true,
  });
  onTestFinished(() => {
    if (bash.pid !== undefined) process.kill(-bash.pid, 'SIGKILL');
  });
}
