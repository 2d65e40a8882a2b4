/** One answer of a stand-in agent; the words are those of `stand-ins/README.md`. */
export type Call = Readonly<Record<string, unknown>>;

/** What the stand-in agents answer, station by station; a station that is left out does its work at the first try. */
export interface Stations {
  readonly implementer?: readonly Call[];
  readonly reviewer?: readonly Call[];
  readonly judge?: readonly Call[];
  /** Whether ollama holds the models in memory already, which saves andon the calls that load them. */
  readonly modelsLoaded?: boolean;
}

/** The document that the sample contract asks for, as the default implementer writes it. */
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

/** An implementer that says whatever it says. */
export const says = (reply: string, more: Call = {}): Call => ({ when: WRITER, reply, ...more });

/** A local review without findings. */
export const reviewPasses = (more: Call = {}): Call => ({
  when: REVIEWER,
  structured: { verdict: 'PASS', critical_security_flaw: false, findings: [] },
  ...more,
});

/** A local review that blocks. */
export const reviewFails = (description: string, more: Call = {}): Call => ({
  when: REVIEWER,
  structured: {
    verdict: 'FAIL',
    critical_security_flaw: false,
    findings: [finding(description)],
  },
  ...more,
});

/** A finding of a local review. */
export const finding = (description: string, more: Call = {}): Call => ({
  severity: 'high',
  category: 'requirement',
  file: 'docs/auth_final.md',
  line: 1,
  description,
  evidence: '',
  ...more,
});

/** A judge's report, bound to what it was asked about. */
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

/** A blocking issue of a judge's report. */
export const issue = (description: string, more: Call = {}): Call => ({
  severity: 'high',
  category: 'requirement',
  file: 'docs/auth_final.md',
  line: 9,
  description,
  fix_required: `Put right: ${description}`,
  ...more,
});

/** The same answer, given so often and then no more. */
export const times = (count: number, call: Call): Call => ({ ...call, times: count });
export const once = (call: Call): Call => times(1, call);

/** The scenario file of the stand-ins. */
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
