import type { EditedFile } from '../record/edited-file.ts';

/** A copy of the project for one call that edits. */
export interface EditPlace {
  readonly folder: string;
  /** Lays the copy out, whatever was there; names and paths in `hide` are left out of it. */
  layOut(hide: readonly string[]): Promise<void>;
  /** How the copy differs from what was laid out; asked when nothing of the agent runs any more. */
  changes(): Promise<readonly EditedFile[]>;
}

/** How a program is let at the files itself. */
export interface Editing {
  /** What of the repository it does not see, by names and paths. */
  readonly hides: readonly string[];
  /** The user's own login enters the cage, in the place of a key that the door puts in. */
  readonly usesLogin: boolean;
  /** Why it cannot be let at them on this machine, with what to do; undefined when it can. */
  unavailable(): Promise<string | undefined>;
}
