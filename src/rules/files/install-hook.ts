import { quoteForShell } from '../../base/shell-word.ts';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withWriteErrors } from '../../base/with-write-errors.ts';
import { HOOK_MARK } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { statPath, resolveReal } from './read-files.ts';
import { isInside } from '../../project/workspace/is-inside.ts';
import { openChanges } from '../../project/git/changes.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { installRoot } from '../../base/system/install-root.ts';
import { readIfThere } from '../../project/folders/user-folders.ts';

export interface HookChange {
  readonly file: string;
  /** The hook that was there before, which runs first if it can; undefined when there was none. */
  readonly chained: string | undefined;
  readonly changed: boolean;
}

/** Puts andon's pre-commit hook in place; a hook that is there is kept beside it and runs first. */
export async function installHook(place: Workspace, env: NodeJS.ProcessEnv): Promise<HookChange> {
  const { file, before } = await hookFiles(place, env);
  refuseHookManager(place.facts.root, dirname(file));
  const isOurs = isOurHook(file);
  const isKept = isSameHook(file, before); // of an installation that was cut off
  if (isThere(before) && isThere(file) && !isOurs && !isKept)
    throw new Problem(
      'file-exists',
      `${before} is there already, and ${file} is not andon's`,
      `put the two together, remove ${before}, and try again`,
    );
  for (const one of [file, before])
    if (targetOf(one)?.isDirectory() === true)
      throw new Problem('conflict', `${one} is a folder, and no hook can stand there`, 'move it away, and try again');
  if (isOurs) refuseEdited(file, 'andon hook install');
  const text = hookText();
  const chainedAt = (): string | undefined => (isThere(before) ? before : undefined);
  if (isOurs && readFileSync(file, 'utf8') === text) return { file, chained: chainedAt(), changed: false };
  withWriteErrors(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    const fresh = `${file}.andon-${process.pid}`;
    writeFileSync(fresh, text);
    chmodSync(fresh, 0o755);
    if (isThere(file) && !isOurs && !isKept) keepHook(file, before);
    renameSync(fresh, file);
  });
  return { file, chained: chainedAt(), changed: true };
}

/** Takes the hook away; what was there before is there again, as it was. */
export async function removeHook(place: Workspace, env: NodeJS.ProcessEnv): Promise<HookChange> {
  const { file, before } = await hookFiles(place, env);
  if (!isOurHook(file)) {
    if (isThere(before) && (!isThere(file) || isSameHook(file, before))) {
      withWriteErrors(file, () => (isThere(file) ? rmSync(before) : renameSync(before, file)));
      return { file, chained: file, changed: true };
    }
    if (isThere(file) && isThere(before))
      throw new Problem(
        'conflict',
        `${file} is not andon's, although ${before} was kept by andon`,
        'decide by hand which of them is to stay',
      );
    return { file, chained: undefined, changed: false };
  }
  const hadBefore = isThere(before);
  refuseEdited(file, hadBefore ? `rename ${before} to it` : 'nothing of andon is left');
  withWriteErrors(file, () => (hadBefore ? renameSync(before, file) : rmSync(file)));
  return { file, chained: hadBefore ? file : undefined, changed: true };
}

/** Keeps a hook beside its place, where it stays until another one replaces it: a cut leaves one of the two there. */
function keepHook(file: string, before: string): void {
  if (statPath(file)?.isSymbolicLink() === true) return symlinkSync(readlinkSync(file), before);
  try {
    return linkSync(file, before);
  } catch {
    const aside = `${before}-${process.pid}`; // not every file system has links
    copyFileSync(file, aside);
    renameSync(aside, before);
  }
}

/** Whether both are one file, as after a cut between keeping a hook and replacing it. */
function isSameHook(file: string, before: string): boolean {
  const [one, other] = [statPath(file), statPath(before)];
  if (one === undefined || other === undefined) return false;
  if (one.isSymbolicLink() && other.isSymbolicLink()) return readlinkSync(file) === readlinkSync(before);
  return one.isFile() && other.isFile() && readFileSync(file).equals(readFileSync(before));
}

async function hookFiles(
  place: Workspace,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly file: string; readonly before: string }> {
  const { folder, isShared } = await openChanges(place.facts, place.state, env).hooksFolder();
  if (folder === '/dev/null')
    throw new Problem(
      'bad-configuration',
      'hooks are switched off by core.hooksPath (/dev/null); none would run',
      'git config --unset core.hooksPath, then try again',
    );
  const own = [place.facts.root, place.facts.commonDir];
  if (isShared || !own.some((one) => isInside(resolveReal(folder), realpathSync(one))))
    throw new Problem(
      'bad-configuration',
      `core.hooksPath (${folder}) is not of this repository alone, so a hook there could run in others too, or nowhere`,
      `add the line \`${LINE}\` to the pre-commit hook there, or git config core.hooksPath .githooks in this one`,
    );
  const file = join(folder, 'pre-commit');
  return { file, before: `${file}.before-andon` };
}

/** User edits in andon's hook are never discarded. */
function refuseEdited(file: string, then: string): void {
  if (isUnedited(readFileSync(file, 'utf8'))) return;
  throw new Problem(
    'conflict',
    `${file} was edited since andon wrote it, and what was written into it would be lost`,
    `keep your own lines elsewhere and delete ${file}; then ${then}`,
  );
}

/** A symbolic link that points nowhere is there too. */
const isThere = (file: string): boolean => statPath(file) !== undefined;

/** What a link leads to; a link that leads around in a circle leads to nothing. */
function targetOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isOurHook(file: string): boolean {
  return statPath(file)?.isFile() === true && isMarked(readFileSync(file, 'utf8'));
}

/** Runs the hook that was there, then the rules; an andon that is gone stops the commit, for nothing was checked. */
const hookText = (): string =>
  textFor(quoteForShell(process.execPath), quoteForShell(join(installRoot(), 'bin', 'andon.mjs')));

/** Whether a hook says that it is andon's. */
const isMarked = (text: string): boolean => text.split('\n')[1]?.startsWith(HOOK_MARK) === true;

/** Whether a hook is as andon wrote it, wherever Node.js and andon lay then. */
const isUnedited = (text: string): boolean => text.replace(PROGRAMS, '') === textFor("''", "''").replace(PROGRAMS, '');

const PROGRAMS = /^(?:node|andon)='.*'$/gm;

const textFor = (node: string, andon: string): string => `#!/bin/sh
${HOOK_MARK}: checks what is staged. \`andon hook remove\` takes it away again.
before="$0.before-andon"
if [ -x "$before" ]; then "$before" "$@" || exit $?; fi
node=${node}
andon=${andon}
if [ -x "$node" ] && [ -f "$andon" ]; then ANDON_CWD="$PWD" exec "$node" "$andon" check --staged; fi
if command -v andon >/dev/null 2>&1; then exec andon check --staged; fi
echo "andon: the hook finds no andon, so nothing was checked; andon hook install mends it, git commit --no-verify goes past it" >&2
exit 2
`;

/** Runs the andon of the project or the user; `--no` fetches no package of that name. */
const LINE = 'npx --no andon check --staged';

/** Programs that rewrite the hooks of a repository from a file of their own: what to paste there, and what applies it. */
const MANAGERS: readonly {
  readonly name: string;
  readonly files: readonly string[];
  /** The key of its settings in package.json. */
  readonly key?: string;
  readonly paste: string;
  readonly command: string;
}[] = [
  {
    name: 'lefthook',
    files: ['', '.', '.config/'].flatMap((start) => [`${start}lefthook.yml`, `${start}lefthook.yaml`]),
    paste: `\`andon: { run: ${LINE} }\` below \`pre-commit:\` and \`commands:\` in`,
    command: 'lefthook install',
  },
  {
    name: 'the pre-commit framework',
    files: ['.pre-commit-config.yaml'],
    paste: `\`- { repo: local, hooks: [{ id: andon, name: andon, entry: ${LINE}, language: system, pass_filenames: false, always_run: true }] }\` below \`repos:\` in`,
    command: 'pre-commit install',
  },
  {
    name: 'simple-git-hooks',
    files: ['.', ''].flatMap((start) => ['json', 'cjs', 'js', 'mjs'].map((end) => `${start}simple-git-hooks.${end}`)),
    key: 'simple-git-hooks',
    paste: `\`"pre-commit": "${LINE}"\` into`,
    command: 'npx simple-git-hooks',
  },
];

/** Refuses a hook beside such a program, which would lose it at its next run; `folder` is git's folder of hooks. */
function refuseHookManager(root: string, folder: string): void {
  const refuse = (name: string, advice: string): never => {
    throw new Problem('conflict', `${name} keeps the hooks of this repository and rewrites them`, advice);
  };
  // husky 9 sets git's folder of hooks to `.husky/_`, husky 8 to `.husky`, each also below a package of a monorepo.
  const husky = /^(?:.*\/)?\.husky(?=\/_$|$)/.exec(relative(root, folder).split('\\').join('/'))?.[0];
  if (husky !== undefined || existsSync(join(root, '.husky')))
    refuse('husky', `add the line \`${LINE}\` to ${husky ?? '.husky'}/pre-commit`);
  const packageText = readIfThere(join(root, 'package.json')) ?? '';
  for (const { name, files, key, paste, command } of MANAGERS) {
    const inPackage = key !== undefined && packageText.includes(`"${key}"`) ? `"${key}" in package.json` : undefined;
    const place = files.find((one) => existsSync(join(root, one))) ?? inPackage;
    if (place !== undefined) refuse(name, `paste ${paste} ${place}, then run \`${command}\``);
  }
}
