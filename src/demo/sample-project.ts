import { z } from 'zod';
import { once } from '../base/once.ts';
import { readShipped } from './read-shipped.ts';

const contract = () => z.looseObject({ task_id: z.string() });

/** What the demo plays, from `shipped/demo.yaml`: a sample project, three contracts, and what the stand-ins answer. */
export const sampleProject = once(() =>
  readShipped('demo.yaml', () =>
    z.strictObject({
      files: z.record(z.string(), z.string()),
      /** The first and the third go to their merge by themselves; what the second asks for is larger than what it allows. */
      contracts: z.strictObject({ first: contract(), second: contract(), third: contract() }),
      /** In the words of `stand-ins/README.md`. */
      agents: z.looseObject({}),
    }),
  ),
);
