import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { TaskView } from '../../line/view.ts';

/** That nothing but the reviewers decides is never shown as nothing. */
export const NO_GATE = 'no gate: only the reviewers decide';

/** How a gate stands on the change, and how it stood before where it is not green now. */
export const gateLine = ({ name, outcome, base }: TaskView['gates'][number]): string =>
  `gate ${inOneTerminalLine(name, 60)}: ${outcome}${outcome === 'green' || base === 'green' || base === 'not run' ? '' : ` (on the base: ${base})`}`;
