export const TASK = 'DRILL-1';
export const TARGET = 'docs/auth_final.md';

/** The sample project of every drill. */
export const SAMPLE: Readonly<Record<string, string>> = {
  'README.md': '# Project A\n',
  'TODO.md': `# To do\n\n- [ ] ${TASK}: one document about authentication\n`,
  'docs/auth_v1.md': '# Authentication\n\n## Login\n\nUsers log in with an email address and a password.\n',
  'docs/auth_v2.md': '# Authentication, second version\n\n## Login\n\nUsers log in with a passkey.\n',
};

/** The fields in which a situation's contract differs from the usual one. */
interface ContractParts {
  readonly limits?: object | undefined;
  readonly constraints?: object | undefined;
  readonly specification?: object | undefined;
  readonly roles?: object | undefined;
  readonly git?: object | undefined;
}

export const drillContract = ({ limits, constraints, specification, roles, git }: ContractParts = {}): object => ({
  schema_version: '1.0',
  task_id: TASK,
  project: 'Project-A',
  roles: { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli', ...roles },
  limits: { max_rebuttals: 2, max_review_cycles: 5, timeout_minutes: 10, ...limits },
  constraints: {
    allowed_paths: ['docs/'],
    forbidden_paths: ['.env'],
    allow_deletes: false,
    max_diff_size: 200,
    ...constraints,
  },
  specification: { target_file: TARGET, requirements: ['Merge both documents into one'], ...specification },
  ...(git === undefined ? {} : { git }),
});
