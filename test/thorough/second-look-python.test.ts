/** @module-tag thorough */
import { proveLabels } from '../support/prove-labels.ts';

proveLabels('ledger', 'rates');
