import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Problem } from '../../base/problem.ts';
import { readIfThere } from '../../project/folders/user-folders.ts';

/** Runs the andon of the project or the user; `--no` fetches no package of that name. */
const LINE = 'npx --no andon check --staged';

/** A program that rewrites the hooks of a repository from a file of its own. */
interface HookManager {
  readonly name: string;
  readonly files: readonly string[];
  /** What to paste into which file, and the command that applies it. */
  readonly advice: (file: string) => string;
}

const MANAGERS: readonly HookManager[] = [
  {
    name: 'lefthook',
    files: ['', '.', '.config/'].flatMap((start) => [`${start}lefthook.yml`, `${start}lefthook.yaml`]),
    advice: (file) =>
      `paste \`andon: { run: ${LINE} }\` below \`pre-commit:\` and \`commands:\` in ${file}, then run \`lefthook install\``,
  },
  {
    name: 'the pre-commit framework',
    files: ['.pre-commit-config.yaml'],
    advice: (file) =>
      `paste \`- { repo: local, hooks: [{ id: andon, name: andon, entry: ${LINE}, language: system, pass_filenames: false, always_run: true }] }\` below \`repos:\` in ${file}, then run \`pre-commit install\``,
  },
  {
    name: 'simple-git-hooks',
    files: ['.', ''].flatMap((start) => ['json', 'cjs', 'js', 'mjs'].map((end) => `${start}simple-git-hooks.${end}`)),
    advice: (file) => `paste \`"pre-commit": "${LINE}"\` into ${file}, then run \`npx simple-git-hooks\``,
  },
];

/** Refuses a hook beside such a program, which would lose it at its next run; `folder` is git's folder of hooks. */
export function refuseHookManager(root: string, folder: string): void {
  const found = findManager(root, relative(root, folder).split('\\').join('/'));
  if (found === undefined) return;
  const [name, advice] = found;
  throw new Problem('conflict', `${name} keeps the hooks of this repository and rewrites them`, advice);
}

function findManager(root: string, folder: string): readonly [name: string, advice: string] | undefined {
  // husky 9 sets git's folder of hooks to `.husky/_`, husky 8 to `.husky`, each also below a package of a monorepo.
  const husky =
    /^(?:.*\/)?\.husky(?=\/_$|$)/.exec(folder)?.[0] ?? (existsSync(join(root, '.husky')) ? '.husky' : undefined);
  if (husky !== undefined) return ['husky', `add the line \`${LINE}\` to ${husky}/pre-commit`];
  for (const { name, files, advice } of MANAGERS) {
    const file = files.find((one) => existsSync(join(root, one)));
    if (file !== undefined) return [name, advice(file)];
  }
  if (readIfThere(join(root, 'package.json'))?.includes('"simple-git-hooks"') !== true) return undefined;
  return [
    'simple-git-hooks',
    `paste \`"simple-git-hooks": { "pre-commit": "${LINE}" }\` into package.json, then run \`npx simple-git-hooks\``,
  ];
}
