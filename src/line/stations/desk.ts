/** The files in the judge's folder, made by andon; the judge may read them and nothing else. */
export const DESK = {
  contract: 'contract.md',
  diff: 'change.diff',
  gates: 'gates.md',
  findings: 'findings.md',
  rounds: 'earlier-rounds.md',
  rebuttal: 'REBUTTAL.md',
  tree: 'tree',
} as const;

/** A path as the judge cites it (its desk has the judged tree in a folder), as a path of the project. */
export const citedPath = (path: string): string => path.replace(/^(?:\.\/)?tree\//, '').replace(/^\.\//, '');

/** Whether one of the files that were read is the change on the judge's desk, and not a file of that name in the tree. */
export const hasOpenedChange = (opened: readonly string[], folder: string): boolean =>
  opened.some(
    (path) =>
      [DESK.diff, `./${DESK.diff}`, `${folder}/${DESK.diff}`].includes(path) ||
      path.endsWith(`/${lastTwo(folder)}/${DESK.diff}`),
  );

const lastTwo = (folder: string): string => folder.split('/').slice(-2).join('/');
