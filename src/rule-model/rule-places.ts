/** Where a project keeps its rules: andon's own folder, and that of the tool whose rules andon reads too. */
export const RULE_FOLDERS = ['.andon/rules', '.rulebound/rules'] as const;

/** Whether a file holds rules: these contain forbidden text in patterns and examples. */
export const isRuleFile = (path: string): boolean =>
  RULE_FOLDERS.some((folder) => path.startsWith(`${folder}/`)) && /\.(?:ya?ml|json|toml|mdc?)$/i.test(path);

/** Whether a glob means files of rules and nothing else. */
export const isAboutRules = (glob: string): boolean => RULE_FOLDERS.some((folder) => glob.startsWith(`${folder}/`));
