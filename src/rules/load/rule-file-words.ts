import { z } from 'zod';
import { HANDLERS, MODALITIES, PHASES, PRIORITIES, RULE_SCOPES, RULE_SEVERITIES } from '../../rule-model/rule-words.ts';
import type { RuleSeverity } from '../../rule-model/rule-words.ts';

/** What other tools call a severity, and where it stands on our ladder. */
export const SEVERITY_ALIASES: Readonly<Record<string, RuleSeverity>> = {
  ERROR: 'HIGH',
  WARNING: 'MEDIUM',
  INFO: 'LOW',
};

/** A word of a list, whatever its case; JSON Schema sees the list. */
const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.preprocess((given) => (typeof given === 'string' ? given.trim().toUpperCase() : given), z.enum(words));

/** Severity as rule files write it: ours, or error, warning, info. */
export const severityWord = word([...RULE_SEVERITIES, 'ERROR', 'WARNING', 'INFO']).describe(
  'CRITICAL, HIGH, MEDIUM or LOW; also error (= HIGH), warning (= MEDIUM), info (= LOW)',
);
/** The priority a rule may repeat; it follows from the severity. */
export const priorityWord = word(PRIORITIES).describe('P0 to P3; follows from the severity and must agree with it');
/** How binding a rule is for exit codes. */
export const modalityWord = word(MODALITIES).describe('MUST, SHOULD or MAY. Default: by severity');
/** What the line does about a violation. */
export const handlerWord = word(HANDLERS).describe('TERMINATE, QUICK_FIX, LOG_ONLY or SOFT_HOOK. Default: by severity');
/** A phase of the line. */
export const phaseWord = word(PHASES).describe('ANALYSIS, TASKS, IMPLEMENTATION, REVIEW or TEST');
/** Where a rule holds; `all` is an older word for GLOBAL. */
export const scopeWord = word([...RULE_SCOPES, 'ALL']).describe('GLOBAL, SCENARIO or STEP');
