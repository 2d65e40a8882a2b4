/** The vocabulary of rules, each list in the order of its ladder; ARCHITECTURE.md and `ladder.ts` say what follows from what. */
export const RULE_SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type RuleSeverity = (typeof RULE_SEVERITIES)[number];

/** What a severity is called where it is acted upon: P0 stops the line, P3 may be ignored. */
export const PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const;
export type RulePriority = (typeof PRIORITIES)[number];

/** How binding a rule is for an exit code. */
export const MODALITIES = ['MUST', 'SHOULD', 'MAY'] as const;
export type Modality = (typeof MODALITIES)[number];

/** What the line does about a violation, strictest first. */
export const HANDLERS = ['TERMINATE', 'QUICK_FIX', 'LOG_ONLY', 'SOFT_HOOK'] as const;
export type Handler = (typeof HANDLERS)[number];

/** The moments of a task at which rules are applied, in order. */
export const PHASES = ['ANALYSIS', 'TASKS', 'IMPLEMENTATION', 'REVIEW', 'TEST'] as const;
export type Phase = (typeof PHASES)[number];

/** Possible senders of messages between agents; those from and to people are not checked. */
export const SPEAKERS = ['architect', 'implementer', 'local_reviewer', 'judge', 'floor_manager', 'human'] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** The kinds of small fixes that need no iteration of their own. */
export const QUICK_FIX_TYPES = ['TYPE-A', 'TYPE-B', 'TYPE-C', 'TYPE-D'] as const;
export type QuickFixType = (typeof QUICK_FIX_TYPES)[number];

/** Whether a rule holds everywhere, in a scenario, or in one step of it. */
export const RULE_SCOPES = ['GLOBAL', 'SCENARIO', 'STEP'] as const;

/** What a pattern is looked for in; `review` is what a review looks at: the added lines, and the words of findings and report; `message` is what any agent says to another. */
export const PLACES = [
  'added_lines',
  'file',
  'diff_paths',
  'plan',
  'contract',
  'response',
  'report',
  'review',
  'message',
  'test_output',
] as const;
export type RulePlace = (typeof PLACES)[number];

export const PROSE_PLACES = ['plan', 'contract', 'response', 'report', 'message', 'test_output'] as const;
export type ProsePlace = (typeof PROSE_PLACES)[number];

/** What came of applying a rule; ERROR and UNDECIDED never count as PASS. */
export const RULE_STATUSES = ['PASS', 'VIOLATED', 'NOT_COVERED', 'NOT_APPLICABLE', 'ERROR', 'UNDECIDED'] as const;
export type RuleStatus = (typeof RULE_STATUSES)[number];

/** Who says something about a plan, lowest first; exact evidence is final. */
export const LAYERS = ['exact', 'keyword', 'semantic', 'llm'] as const;
export type Layer = (typeof LAYERS)[number];

/** What may keep a violation from counting. */
export const SUPPRESSORS = ['waiver', 'baseline', 'inline'] as const;
export type Suppressor = (typeof SUPPRESSORS)[number];

/** Where rules are asked: `gate` is a plain yes or no (`andon check`), the others have an exit code of their own; `response` is what an agent answered. */
const SURFACES = ['gate', 'pre-commit', 'ci', 'line', 'response'] as const;
export type Surface = (typeof SURFACES)[number];

/** How a report may be written; each has a file in `reporters/`. */
export const FORMATS = ['text', 'json', 'github', 'sarif', 'junit', 'rdjson', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

/** In which way a response can fail. */
export const VIOLATION_TYPES = [
  'expression_failed',
  'llm_judge_failed',
  'relevance_failed',
  'grounding_failed',
] as const;
export type ViolationType = (typeof VIOLATION_TYPES)[number];

/** Where a project keeps its rules: andon's own folder, and that of the tool whose rules andon reads too. */
export const RULE_FOLDERS = ['.andon/rules', '.rulebound/rules'] as const;

/** Whether a file holds rules: these contain forbidden text in patterns and examples. */
export const isRuleFile = (path: string): boolean =>
  RULE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && /\.(?:ya?ml|json|toml|mdc?)$/i.test(path);

/** Whether a glob means files of rules and nothing else. */
export const isAboutRules = (glob: string): boolean => RULE_FOLDERS.some((folder) => glob.startsWith(`${folder}/`));

/** The names under which the two checks of a whole response stand among the results of rules. */
export const RELEVANCE = 'relevance';
export const GROUNDING = 'grounding';
