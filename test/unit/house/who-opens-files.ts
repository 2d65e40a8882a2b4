/** Who may open files by itself, below `src/` (a folder ends in `/`) or `bin/`, and why it is not `adapters/door.ts`. */
export const OPENS_FILES: readonly (readonly [why: string, who: readonly string[]])[] = [
  [
    'it is the door, and what the door stands on',
    ['src/adapters/safe-fs.ts', 'src/adapters/durable.ts', 'src/adapters/trash.ts', 'src/adapters/failpoints.ts'],
  ],
  [
    'renames or removes what the door has named to it',
    [
      'src/adapters/handoff/sweep.ts',
      'src/adapters/handoff/take-file.ts',
      'src/adapters/locks/daemon-lock.ts',
      'src/adapters/processes/other-boot.ts',
      'src/adapters/settings/moved-state.ts',
      'src/adapters/settings/old-state.ts',
      'src/adapters/settings/work-folders.ts',
    ],
  ],
  [
    'writes to a file that the door has named: the log of a day, and what a watchdog in the background prints',
    ['src/adapters/settings/day-log.ts', 'src/adapters/processes/start-andon.ts'],
  ],
  ["andon's own sources in a clone", ['src/wiring/load-pages.ts']],
  [
    'is told when a folder changes, and opens nothing',
    ['src/adapters/journal/follow.ts', 'src/adapters/settings/live-tails.ts'],
  ],
  [
    "git's own files: the user's repository, and the vault, whose folder the door has named",
    ['src/adapters/repository/'],
  ],
  [
    'looks at trees that gates have written in, by rules of their own: no link is followed there either',
    ['src/adapters/settings/work-files.ts', 'src/adapters/processes/liveness-probe.ts'],
  ],
  [
    'what a cage is made of: places of the machine, and a scratch folder that nobody else knows',
    [
      'src/adapters/cage/',
      'src/adapters/socket-folder.ts',
      'src/adapters/agents/editing.ts',
      'src/setup/doctor/cage.ts',
      'src/setup/doctor/doors.ts',
    ],
  ],
  [
    'the kernel and the machine: processes, memory, disks, programs on the path',
    [
      'src/adapters/locks/holder.ts',
      'src/adapters/locks/kernel-lock.ts',
      'src/adapters/locks/kernel-name.ts',
      'src/adapters/processes/job-control.ts',
      'src/surfaces/cli/typed-paths.ts',
      'src/wiring/lock-workspace.ts',
      'src/adapters/notifier/desktop.ts',
      'src/adapters/processes/bounds.ts',
      'src/adapters/processes/control-group.ts',
      'src/adapters/processes/edit-text.ts',
      'src/adapters/processes/describe-start-failure.ts',
      'src/adapters/processes/on-reader-closed.ts',
      'src/adapters/processes/proc.ts',
      'src/adapters/processes/usage.ts',
      'src/setup/doctor/machine.ts',
      'src/wiring/on-path.ts',
    ],
  ],
  [
    "the user's own configuration and logins lie in the user's home, where a link is the user's business",
    ['src/adapters/settings/user-folders.ts', 'src/adapters/agents/login-file.ts', 'src/setup/doctor/repair.ts'],
  ],
  [
    "the settings and transcripts of Claude Code, which belong to it and to the user, whose links are the user's business",
    [
      'src/inspection/claude/answer-hook.ts',
      'src/inspection/claude/install.ts',
      'src/inspection/claude/settings-files.ts',
    ],
  ],
  [
    'files of the project, which belong to the user: read without waiting, and only as what they are',
    [
      'src/daemon/intake/contract-checker.ts',
      'src/setup/detect-stack.ts',
      'src/inspection/read-files.ts',
      'src/inspection/explain-tracked-code.ts',
      'src/wiring/rule-files.ts',
      'src/inspection/rulebook/rulebook.ts',
    ],
  ],
  [
    'a file that the user names on the command line, or a folder that the user stands in',
    [
      'src/daemon/intake/drop-contract.ts',
      'src/wiring/load-workspace.ts',
      'src/surfaces/cli/inspections.ts',
      'src/surfaces/cli/page-file.ts',
    ],
  ],
  ["git's hooks, which the user asks for by name", ['src/inspection/hook-managers.ts', 'src/inspection/hook.ts']],
  ['a package that is installed beside andon', ['src/adapters/language-model/load-package.ts', 'bin/andon.mjs']],
  ['what andon itself brings along', ['src/adapters/install-root.ts', 'src/source/parse-source.ts']],
  ['what a model of ollama is made from, in a folder just made for it', ['src/adapters/agents/ollama-models.ts']],
  [
    'projects of their own in a new temporary folder',
    ['src/demo/', 'src/drills/', 'src/surfaces/cli/commands/demo.ts'],
  ],
  ['runs inside a cage, on what the cage shows', ['bin/in-sandbox-runtime.mjs', 'bin/with-egress.mjs']],
];
