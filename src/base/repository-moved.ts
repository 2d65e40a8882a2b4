import { Problem } from './problem.ts';

/** The repository is no longer at its path: further work there would hit another one, or nothing. */
export class RepositoryMoved extends Problem {
  constructor(path: string, { now, replaced }: { readonly now: string | undefined; readonly replaced: boolean }) {
    const what = replaced ? `another repository is at ${path} now` : `the repository is not at ${path} any more`;
    const where = now === undefined ? 'the path of the watched one is unknown' : `the watched one is at ${now}`;
    const next = now === undefined ? 'andon watch, in the folder where it is' : `andon watch ${now}`;
    super('conflict', `${what}; ${where}. Nothing more was done here; it goes on with: ${next}`, next, 1);
  }
}
