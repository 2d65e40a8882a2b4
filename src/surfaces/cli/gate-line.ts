import { toTerminalLine } from '../../base/plain-text.ts';
import type { TaskView } from '../../line/view.ts';

/** That nothing but the reviewers decides is never shown as nothing. */
export const NO_GATE = 'no gate: only the reviewers decide';

/** The outcome of a gate on the change, and on the base where it is not green now. */
export const gateLine = ({ name, outcome, base }: TaskView['gates'][number]): string =>
  `gate ${toTerminalLine(name, 60)}: ${outcome}${outcome === 'green' || base === 'green' || base === 'not run' ? '' : ` (on the base: ${base})`}`;
