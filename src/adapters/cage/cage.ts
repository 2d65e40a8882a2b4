import type { Cage } from '../../ports/cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { bubblewrap } from './bubblewrap.ts';
import { noCage } from './no-cage.ts';
import { sandboxRuntime } from './sandbox-runtime.ts';
import type { CageWorld } from './what-is-seen.ts';

/** The cage that the user's own configuration names; none ever stands in for another. */
export function cage(driver: 'bubblewrap' | 'sandbox-runtime' | 'none', run: RunProgram, services: CageWorld): Cage {
  switch (driver) {
    case 'bubblewrap':
      return bubblewrap(run, services);
    case 'sandbox-runtime':
      return sandboxRuntime(run, services);
    case 'none':
      return noCage(run, services);
  }
}
