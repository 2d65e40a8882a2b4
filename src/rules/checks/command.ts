import type { RuleCheck } from '../model/rule.ts';
import type { Check } from './check.ts';
import { exactError } from './exact-match.ts';
import { settingFault, wrongNumber } from './settings.ts';

/** A command must end with 0; andon runs none for a rule, so such a rule is never kept but unchecked. */
export const COMMAND: Check = {
  type: 'command',
  keys: ['run', 'command', 'timeout_ms'],
  lint: (check) => [
    ...(isNamed(check) ? [] : settingFault('run', 'run is missing: write the command')),
    ...wrongNumber(check, 'timeout_ms'),
  ],
  run: () => [exactError('not checked: andon runs no commands of rules; make it a gate in .andon/config.yaml')],
};

function isNamed(check: RuleCheck): boolean {
  const command = check['run'] ?? check['command'];
  return typeof command === 'string' && command.trim() !== '';
}
