/** Who may open files by itself, below `src/` (a folder ends in `/`) or `bin/`, and why it is not `base/system/safe-fs.ts`. */
export const OPENS_FILES: readonly (readonly [why: string, who: readonly string[]])[] = [
  [
    'it is the door, and what the door stands on',
    [
      'src/base/system/safe-fs.ts',
      'src/base/system/durable.ts',
      'src/base/system/trash.ts',
      'src/base/system/failpoints.ts',
    ],
  ],
  [
    'renames or removes what the door has named to it',
    [
      'src/project/handoff/remove-half-written.ts',
      'src/project/handoff/take-file.ts',
      'src/project/locks/daemon-lock.ts',
      'src/line/upkeep/leftovers.ts',
      'src/project/folders/moved-state.ts',
      'src/project/folders/old-state.ts',
      'src/project/folders/work-folders.ts',
    ],
  ],
  [
    'writes to a file that the door has named: the log of a day, and what a watchdog in the background prints',
    ['src/project/folders/day-log.ts', 'src/sandbox/processes/start-andon.ts'],
  ],
  ["andon's own sources in a clone", ['src/app/cli/load-pages.ts']],
  [
    'is told when a folder changes, and opens nothing',
    ['src/line/journal/follow-events.ts', 'src/project/folders/live-tails.ts'],
  ],
  ["git's own files: the user's repository, and the vault, whose folder the door has named", ['src/project/git/']],
  [
    'looks at trees that gates have written in, by rules of their own: no link is followed there either',
    ['src/project/folders/work-files.ts', 'src/sandbox/processes/liveness-probe.ts'],
  ],
  [
    'what a cage is made of: places of the machine, and a scratch folder that nobody else knows',
    [
      'src/sandbox/cage/',
      'src/base/system/socket-folder.ts',
      'src/agents/drivers/editing.ts',
      'src/app/setup/doctor/examine-cage.ts',
      'src/app/setup/doctor/try-doors.ts',
    ],
  ],
  [
    'the kernel and the machine: processes, memory, disks, programs on the path',
    [
      'src/project/locks/holder.ts',
      'src/project/locks/kernel-lock.ts',
      'src/project/locks/kernel-name.ts',
      'src/line/gates/explain-setup.ts',
      'src/line/services/hold-repository.ts',
      'src/sandbox/processes/job-control.ts',
      'src/app/cli/typed-paths.ts',
      'src/project/workspace/lock-workspace.ts',
      'src/sandbox/processes/bounds.ts',
      'src/sandbox/processes/edit-text.ts',
      'src/sandbox/processes/describe-start-failure.ts',
      'src/sandbox/processes/on-reader-closed.ts',
      'src/sandbox/processes/proc.ts',
      'src/sandbox/processes/usage.ts',
      'src/app/setup/doctor/examine-machine.ts',
      'src/project/workspace/on-path.ts',
    ],
  ],
  [
    "the user's own configuration and logins lie in the user's home, where a link is the user's business",
    ['src/project/folders/user-folders.ts', 'src/agents/drivers/login-file.ts', 'src/app/setup/doctor/repair.ts'],
  ],
  [
    "the settings and transcripts of Claude Code, which belong to it and to the user, whose links are the user's business",
    ['src/rules/files/claude/answer-hook.ts', 'src/rules/files/claude/install-claude-hook.ts'],
  ],
  [
    'files of the project, which belong to the user: read without waiting, and only as what they are',
    [
      'src/line/intake/contract-checker.ts',
      'src/app/setup/detect-stack.ts',
      'src/rules/files/read-files.ts',
      'src/rules/files/explain-tracked-code.ts',
      'src/rules/files/project-files.ts',
      'src/rules/files/rulebook.ts',
    ],
  ],
  [
    'a file that the user names on the command line, or a folder that the user stands in',
    [
      'src/line/intake/drop-contract.ts',
      'src/project/workspace/load-workspace.ts',
      'src/app/cli/inspections.ts',
      'src/app/cli/page-file.ts',
    ],
  ],
  ["git's hooks, which the user asks for by name", ['src/rules/files/install-hook.ts']],
  ['a package that is installed beside andon', ['src/agents/models/load-package.ts', 'bin/andon.mjs']],
  ['what andon itself brings along', ['src/base/system/install-root.ts', 'src/source/parse-source.ts']],
  ['what a model of ollama is made from, in a folder just made for it', ['src/agents/drivers/ollama-models.ts']],
  ['projects of their own in a new temporary folder', ['src/app/drills/', 'src/app/cli/commands/demo.ts']],
  ['runs inside a cage, on what the cage shows', ['bin/in-sandbox-runtime.mjs', 'bin/with-egress.mjs']],
];
