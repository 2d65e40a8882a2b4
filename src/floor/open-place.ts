import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { auditLog } from '../adapters/audit/audit-log.ts';
import { removeFile, replaceFile } from '../adapters/durable.ts';
import { requestFiles } from '../adapters/handoff/requests.ts';
import { findRepository } from '../adapters/repository/git-repository.ts';
import { makeStateFolder, readIfThere, stateFolder, userConfigFile } from '../adapters/settings/places.ts';
import { CONFIG, RULEBOUND_CONFIG, readSettings } from '../formats/config.ts';
import type { Settings } from '../formats/config.ts';
import { HANDOFF } from '../formats/names.ts';
import type { AuditLog } from '../ports/audit.ts';
import type { RepositoryFacts } from '../ports/repository.ts';
import type { Requests } from '../ports/requests.ts';
import { Problem } from '../problems/problem.ts';

/** The place of one repository: found, configured, its state folder made; nothing is locked yet. */
export interface Place {
  readonly facts: RepositoryFacts;
  readonly settings: Settings;
  readonly state: string;
  readonly requests: Requests;
  readonly userConfig: string;
}

/** Finds the repository that `folder` lies in and reads both configurations; throws a Problem that says what is wrong. */
export async function findPlace(folder: string, env: NodeJS.ProcessEnv): Promise<Place> {
  if (!existsSync(folder)) throw new Problem('bad-argument', `there is no folder ${folder}`, 'name a git repository');
  const facts = await findRepository(folder);
  if (!facts.ok) throw new Problem('not-a-repository', facts.why.sentence, facts.why.remedy);
  const root = realpathSync(facts.value.root);
  const userConfig = userConfigFile(env);
  const settings = readSettings(
    { name: CONFIG, text: readIfThere(join(root, CONFIG)) },
    { name: userConfig, text: readIfThere(userConfig) },
    root,
    { name: RULEBOUND_CONFIG, text: readIfThere(join(root, RULEBOUND_CONFIG)) },
  );
  if (!settings.ok) throw new Problem('bad-configuration', settings.why.join('\n'), 'correct the file and try again');
  if (/[\n\r]/.test(root))
    throw new Problem(
      'not-a-repository',
      'the path of this repository holds a line break, which git cannot borrow objects from',
      'rename the folder',
    );
  const state = stateFolder(env, facts.value.commonDir);
  makeStateFolder(state);
  return {
    facts: { ...facts.value, root },
    settings: settings.value,
    state,
    requests: requestFiles(join(state, 'requests')),
    userConfig,
  };
}

export { replaceFile } from '../adapters/durable.ts';

/** What the rules of this repository wrote down. */
export const auditOf = ({ state }: Pick<Place, 'state'>): AuditLog => auditLog(join(state, 'audit'));

/** Why the disks under a repository's papers and state take no writes now; undefined when they do. */
export function whyNoWrites({ facts, state }: Place): string | undefined {
  try {
    for (const file of [join(facts.root, HANDOFF, '.probe'), join(state, '.probe')]) {
      replaceFile(file, 'x'.repeat(64 * 1024));
      removeFile(file);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
