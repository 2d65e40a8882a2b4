import { agentInstructions } from './agent-instructions.ts';
import type { RuleDialect } from './dialect.ts';
import { gitleaks } from './gitleaks.ts';
import { ruleboundMarkdown } from './rulebound-markdown.ts';

/** Every foreign dialect of rules; the first that matches a name reads the file. */
export const RULE_DIALECTS: readonly RuleDialect[] = [gitleaks, agentInstructions, ruleboundMarkdown];
