/** What a project's own files say about how it is prepared and checked. */
export interface Stack {
  /** What was recognised, such as `npm` or `cargo`. */
  readonly names: readonly string[];
  readonly setup: readonly string[];
  readonly share: readonly string[];
  readonly gates: readonly ProposedGate[];
  /** Gates that cannot be used here. */
  readonly leftOut?: readonly LeftOutGate[];
  /** What the human should know about a proposal, in sentences. */
  readonly notes: readonly string[];
}

/** A gate that a project's files propose, and what must be there beside its first word so that it can run. */
export interface ProposedGate {
  readonly name: string;
  readonly run: string;
  /** The file, or folder of JUnit XML files, in which its runner writes results. */
  readonly results?: string;
  /** Programs that it calls in turn, as the scripts of a package do. */
  readonly calls?: readonly string[];
}

/** A gate of the project that is not configured, and why. */
export interface LeftOutGate {
  readonly name: string;
  readonly run: string;
  readonly why: string;
}

/** The files in the root of a project, from which a stack is recognised. */
export interface Root {
  readonly has: (...names: readonly string[]) => boolean;
  /** The text of the first of these files that is there; empty when none is. A path may name a file in a folder. */
  readonly text: (...names: readonly string[]) => string;
  readonly names: readonly string[];
  /** Whether one of these files is there and git tracks it: only then can a `setup` use it. */
  readonly tracks: (...names: readonly string[]) => boolean;
  /** Whether git ignores an untracked file of this name. */
  readonly isIgnored: (name: string) => boolean;
  /** Whether a path is there, also below the root. */
  readonly exists: (path: string) => boolean;
  /** The folders that a pattern such as `packages/*` means. */
  readonly folders: (pattern: string) => readonly string[];
  /** The paths in a folder of the root. */
  readonly files: (folder: string) => readonly string[];
}

/**
 * Why a lock file prepares nothing, and what to do. `installed`: a folder with packages that gates share; `install`: a
 * command that works without the lock file, and the folders that it fills.
 */
export function describeUntracked(
  file: string,
  { isIgnored }: Pick<Root, 'isIgnored'>,
  { installed, install }: { readonly installed: string | undefined; readonly install: Pick<Stack, 'setup' | 'share'> },
): string {
  const effect =
    installed === undefined
      ? 'nothing prepares the packages'
      : `there is no setup: gates use the packages in ${installed}`;
  if (!isIgnored(file))
    return `${file} is not tracked by git, so ${effect}: \`git add ${file}\`, commit it and run \`andon init\` again`;
  const flags = [
    ...install.setup.map((command) => `--setup '${command}'`),
    ...install.share.map((folder) => `--share ${folder}`),
  ];
  return `${file} is ignored by git, so ${effect}; to install them without it: \`andon init ${flags.join(' ')}\``;
}
