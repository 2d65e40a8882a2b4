import { z } from 'zod';
import { lazy } from '../base/lazy.ts';
import { readShipped } from './read-shipped.ts';

const contract = () => z.looseObject({ task_id: z.string() });

/** The demo of `shipped/demo.yaml`: a sample project, three contracts and the script of the stand-ins. */
export const sampleProject = lazy(() =>
  readShipped('demo.yaml', () =>
    z.strictObject({
      files: z.record(z.string(), z.string()),
      /** The first and the third merge; the second asks for more than it allows. */
      contracts: z.strictObject({ first: contract(), second: contract(), third: contract() }),
      /** In the format of `stand-ins/README.md`. */
      agents: z.looseObject({}),
    }),
  ),
);
