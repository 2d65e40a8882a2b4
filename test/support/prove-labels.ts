import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LabelProver, missingPrograms } from './prove-label.ts';
import { readLabelledChanges } from './labelled-changes.ts';

/** Defines one test for each labelled change of these bases: what its label says is so when it is run. */
export const proveLabels = (...bases: readonly string[]): void => {
  describe(`the labels of the changes to ${bases.join(', ')}`, () => {
    let folder = '';
    let prover: LabelProver;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'second-look-'));
      prover = new LabelProver(folder);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    const changes = [...readLabelledChanges('dev'), ...readLabelledChanges('held')].filter(({ base }) =>
      bases.includes(base),
    );
    it.concurrent.for(changes)('are so when they are run: $id', async (one, { skip }) => {
      const missing = await missingPrograms(one, folder);
      skip(missing.length > 0, `needs ${missing.join(', ')}`);
      expect(await prover.faultsOf(one)).toEqual([]);
    });
  });
};
