import { inOneTerminalLine } from '../../formats/plain-text.ts';
import type { TaskView } from '../../line/view.ts';

/** How a gate stands on the change, and that it proves nothing where it was red before. */
export const gateLine = ({ name, outcome, base }: TaskView['gates'][number]): string =>
  `gate ${inOneTerminalLine(name, 60)}: ${outcome}${outcome === 'red' && base === 'red' ? ' (red on the base too: no evidence either way)' : ''}`;
