/** One answer of a stand-in agent, in the format of `stand-ins/README.md`. */
export type Call = Readonly<Record<string, unknown>>;

/** The stand-ins' answers by station; a station without an entry succeeds at the first try. */
export interface Stations {
  readonly implementer?: readonly Call[];
  readonly reviewer?: readonly Call[];
  readonly judge?: readonly Call[];
  /** Whether ollama has the models loaded, which saves andon the warm-up calls. */
  readonly modelsLoaded?: boolean;
}

/** The document of the sample contract, from the default implementer. */
export const FINAL = `# Authentication

## Login

Users log in with a passkey. A password is the fallback. See [tokens](#tokens).

## Tokens

A token is valid for 15 minutes and can be renewed once. See [login](#login).
`;

/** The line of it that the default judge quotes. */
const QUOTE = {
  file: 'docs/auth_final.md',
  line: null,
  quote: 'A token is valid for 15 minutes and can be renewed once.',
};

const WRITER = { model: 'qwen2.5-coder' };
const REVIEWER = { model: 'deepseek-r1' };

/** An implementer that writes whole files; `null` deletes one. */
export const writes = (files: Readonly<Record<string, string | null>>, more: Call = {}): Call => ({
  when: WRITER,
  reply: `${Object.entries(files)
    .map(([path, text]) => (text === null ? `DELETE: ${path}` : `FILE: ${path}\n\`\`\`\`text\n${text}\`\`\`\``))
    .join('\n\n')}\n\nNOTES:\nAs asked.\n`,
  ...more,
});

export const createReply = (reply: string, more: Call = {}): Call => ({ when: WRITER, reply, ...more });

export const reviewPasses = (more: Call = {}): Call => ({
  when: REVIEWER,
  structured: { verdict: 'PASS', critical_security_flaw: false, findings: [] },
  ...more,
});

export const finding = (description: string, more: Call = {}): Call => ({
  severity: 'high',
  category: 'requirement',
  file: 'docs/auth_final.md',
  line: 1,
  description,
  evidence: '',
  ...more,
});

/** A judge's report, bound to its request. */
export const judges = (verdict: string, report: Call = {}, more: Call = {}): Call => ({
  structured: {
    task_id: '{{prompt:^task_id: (\\S+)$}}',
    commit: '{{prompt:^commit: (\\S+)$}}',
    contract_digest: '{{prompt:^contract_digest: (\\S+)$}}',
    verdict,
    summary: `The judge says ${verdict}.`,
    blocking_issues: [],
    required_fixes: [],
    suggestions: [],
    security_flags: [],
    evidence: [QUOTE],
    ...report,
  },
  usage: { in: 1000, out: 100, usd: 0.02 },
  ...more,
});

export const issue = (description: string, more: Call = {}): Call => ({
  severity: 'high',
  category: 'requirement',
  file: 'docs/auth_final.md',
  line: 9,
  description,
  fix_required: `Put right: ${description}`,
  ...more,
});

export const aScenario = ({
  implementer = [writes({ 'docs/auth_final.md': FINAL })],
  reviewer = [reviewPasses()],
  judge = [judges('PASS')],
  modelsLoaded = true,
}: Stations = {}): object => ({
  models: {
    'qwen2.5-coder': { context: 32_768, loaded: modelsLoaded },
    'deepseek-r1': { context: 32_768, loaded: modelsLoaded },
  },
  ollama: [...implementer, ...reviewer],
  claude: judge,
});

export const TASK = 'DRILL-1';
export const TARGET = 'docs/auth_final.md';

/** The sample project of every drill. */
export const SAMPLE: Readonly<Record<string, string>> = {
  'README.md': '# Project A\n',
  'TODO.md': `# To do\n\n- [ ] ${TASK}: one document about authentication\n`,
  'docs/auth_v1.md': '# Authentication\n\n## Login\n\nUsers log in with an email address and a password.\n',
  'docs/auth_v2.md': '# Authentication, second version\n\n## Login\n\nUsers log in with a passkey.\n',
};

type ContractPart = 'limits' | 'constraints' | 'specification' | 'roles' | 'git';

/** The usual contract, with the fields in which that of a situation differs. */
export const drillContract = ({
  limits,
  constraints,
  specification,
  roles,
  git,
}: { readonly [Part in ContractPart]?: object | undefined } = {}): object => ({
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
