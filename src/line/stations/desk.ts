/** The files in the judge's folder; the judge may read these and no others. */
export const DESK = {
  contract: 'contract.md',
  diff: 'change.diff',
  gates: 'gates.md',
  findings: 'findings.md',
  rounds: 'earlier-rounds.md',
  rebuttal: 'REBUTTAL.md',
  tree: 'tree',
} as const;

/** Converts a path cited by the judge, with the tree in a folder, into one of the project. */
export const toProjectPath = (path: string): string => path.replace(/^(?:\.\/)?tree\//, '').replace(/^\.\//, '');

/** Whether one of the files read is the change in the judge's folder, not a file of that name in the tree. */
export const hasOpenedChange = (opened: readonly string[], folder: string): boolean =>
  opened.some(
    (path) =>
      [DESK.diff, `./${DESK.diff}`, `${folder}/${DESK.diff}`].includes(path) ||
      path.endsWith(`/${lastTwo(folder)}/${DESK.diff}`),
  );

const lastTwo = (folder: string): string => folder.split('/').slice(-2).join('/');
