import type { RuleFinding } from '../../rule-model/inspection.ts';
import type { RuleSeverity } from '../../rule-model/rule-words.ts';

/** How bad a finding is in three steps, as every outside format knows them; what could not be checked is an error. */
export const levelOf = ({ status, severity }: RuleFinding): Level => (status === 'ERROR' ? 'error' : LEVELS[severity]);

export type Level = 'error' | 'warning' | 'note';

/** How bad a violated rule of each severity is. */
export const LEVELS: Readonly<Record<RuleSeverity, Level>> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
};
