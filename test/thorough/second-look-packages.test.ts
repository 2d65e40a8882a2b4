/** @module-tag thorough */
import { proveLabels } from '../support/prove-labels.ts';

proveLabels('queue', 'typed', 'clock');
