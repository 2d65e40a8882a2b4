/** @module-tag thorough */
import { proveLabels } from '../support/prove-labels.ts';

proveLabels('slug', 'tidy', 'units', 'site', 'stack');
