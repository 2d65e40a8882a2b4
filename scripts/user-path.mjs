import { realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * A PATH without what npm and `run.mjs` put in front of it for these projects: agents and gates must find the user's
 * programs, not andon's. What the user put there stays, whatever it is called.
 */
export function userPath(path, projects) {
  const kept = [];
  let npms; // what npm names next: after `node_modules/.bin` of a project the same in every folder above it
  for (const folder of path.split(delimiter)) {
    if (folder === npms || projects.some((project) => isBinOf(project, folder))) npms = binAbove(folder);
    else {
      npms = undefined;
      if (!/[\\/]node-gyp-bin$/.test(folder)) kept.push(folder); // npm's own, at the end of what it puts there
    }
  }
  return kept.join(delimiter);
}

function isBinOf(project, folder) {
  return /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder) && real(dirname(dirname(folder))) === real(project);
}

function binAbove(folder) {
  const project = dirname(dirname(folder));
  return dirname(project) === project ? undefined : join(dirname(project), 'node_modules', '.bin');
}

function real(folder) {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
