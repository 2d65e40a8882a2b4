import { createHash } from 'node:crypto';

const AUTH_V1 = `# Authentication

## Login

Users log in with an email address and a password. See [tokens](#tokens).

## Tokens

A token is valid for 60 minutes.
`;

const AUTH_V2 = `# Authentication, second version

## Login

Users log in with a passkey. A password is the fallback. See [tokens](#tokens).

## Tokens

A token is valid for 15 minutes and can be renewed once. See [login](#login).
`;

const GUIDE = `# Guide

${Array.from({ length: 24 }, (_, index) => `Step ${index + 1}: open the page, read it, and go on to the next one.`).join('\n')}
`;

/** The gate of the sample: a heading may not skip a level. Plain shell, so that it runs everywhere. */
const CHECK = `#!/bin/sh
# Fails when a heading skips a level (H1 -> H3).
for file in docs/*.md; do
  awk -v f="$file" '/^#+ /{n=length($1); if (p && n>p+1) {print f": heading skips a level: "$0; bad=1} p=n} END {exit bad}' "$file" || failed=1
done
exit \${failed:-0}
`;

/** The files of the sample repository. */
export const sampleFiles: ReadonlyMap<string, string> = new Map([
  ['docs/auth_v1.md', AUTH_V1],
  ['docs/auth_v2.md', AUTH_V2],
  ['docs/guide.md', GUIDE],
  [
    'TODO.md',
    '# To do\n\n- [ ] DOC-001-AUTH-MERGE: one document about authentication\n- [ ] DOC-002-SHORT-GUIDE: a shorter guide\n',
  ],
  ['scripts/check-headings.sh', CHECK],
  ['.andon/config.yaml', 'gates:\n  - name: headings\n    run: sh scripts/check-headings.sh\n'],
]);

const sha = (text: string): string => `sha256-${createHash('sha256').update(text).digest('hex')}`;

/** The contract of the blueprint itself, its hashes made real. */
export const firstContract = {
  schema_version: '1.0',
  task_id: 'DOC-001-AUTH-MERGE',
  project: 'Project-A',
  status: 'pending_implementer',
  status_reason: 'Awaiting implementation',
  timestamps: { created_at: '2026-01-16T12:00:00Z', updated_at: '2026-01-16T12:00:00Z' },
  roles: { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli' },
  limits: { max_rebuttals: 2, max_review_cycles: 5, timeout_minutes: 10 },
  constraints: {
    allowed_paths: ['Project-A/docs/'],
    forbidden_paths: ['.env', 'AGENTS.md'],
    allow_deletes: false,
    max_diff_size: 200,
  },
  specification: {
    source_files: [
      { path: 'auth_v1.md', hash: sha(AUTH_V1) },
      { path: 'auth_v2.md', hash: sha(AUTH_V2) },
    ],
    target_file: 'auth_final.md',
    requirements: ['Merge core logic', 'Standardize heading hierarchy (H1 -> H2 -> H3)', 'Maintain internal links'],
  },
  handoff_data: {
    implementer_notes: '',
    changed_files: [],
    judge_report_path: '_handoff/JUDGE_REPORT.md',
    judge_report_json: '_handoff/JUDGE_REPORT.json',
    rebuttal_path: '_handoff/REBUTTAL.md',
  },
  breaker: { status: 'armed', rebuttal_count: 0, max_delete_ratio: 0.05 },
  history: [],
};

/** A contract that cannot go on by itself: what it asks for is larger than what it allows. */
export const secondContract = {
  schema_version: '1.0',
  task_id: 'DOC-002-SHORT-GUIDE',
  project: 'Project-A',
  roles: { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli' },
  constraints: { allowed_paths: ['docs/guide.md'], allow_deletes: true, max_diff_size: 20 },
  specification: {
    target_file: 'docs/guide.md',
    requirements: ['Say in three sentences what the guide says in 24 steps'],
  },
};

const finalDocument = ({ heading = '## Tokens', link = ' See [login](#login).' } = {}): string => `# Authentication

## Login

Users log in with a passkey. A password is the fallback. See [tokens](#tokens).

${heading}

A token is valid for 15 minutes and can be renewed once.${link}
`;

const shortGuide = '# Guide\n\nOpen the first page and read it. Go on to the next page. Stop after the last one.\n';

const answer = (path: string, text: string, notes: string): string =>
  `FILE: ${path}\n\`\`\`\`markdown\n${text}\`\`\`\`\n\nNOTES:\n${notes}\n`;

const report = (verdict: string, summary: string, evidence: object, more: object = {}): object => ({
  task_id: '{{prompt:^task_id: (\\S+)$}}',
  commit: '{{prompt:^commit: (\\S+)$}}',
  contract_digest: '{{prompt:^contract_digest: (\\S+)$}}',
  verdict,
  summary,
  blocking_issues: [],
  required_fixes: [],
  suggestions: [],
  security_flags: [],
  evidence: [evidence],
  ...more,
});

/** What the stand-in agents answer: the way of the first contract takes one local and one judge's refusal. */
export const scenario = {
  models: { 'qwen2.5-coder': { context: 32768 }, 'deepseek-r1': { context: 32768 } },
  ollama: [
    {
      when: { model: 'qwen2.5-coder', includes: ['DOC-002-SHORT-GUIDE'] },
      reply: answer('docs/guide.md', shortGuide, 'The 24 steps said the same thing.'),
      chunk: 60,
      every_ms: 20,
      after_ms: 300,
    },
    {
      when: { model: 'qwen2.5-coder', includes: ['Required fixes by the judge'] },
      reply: answer('docs/auth_final.md', finalDocument(), 'The link back to the login is there again.'),
      chunk: 40,
      every_ms: 25,
      after_ms: 400,
    },
    {
      when: { model: 'qwen2.5-coder', includes: ['Required fixes by the reviewer'] },
      reply: answer('docs/auth_final.md', finalDocument({ link: '' }), 'Tokens is a heading now.'),
      chunk: 40,
      every_ms: 25,
      after_ms: 400,
    },
    {
      when: { model: 'qwen2.5-coder' },
      reply: answer(
        'docs/auth_final.md',
        finalDocument({ heading: '**Tokens**', link: '' }),
        'Merged from the second version, which is newer.',
      ),
      chunk: 40,
      every_ms: 25,
      after_ms: 400,
    },
    {
      when: { model: 'deepseek-r1', includes: ['+**Tokens**'] },
      structured: {
        verdict: 'FAIL',
        critical_security_flaw: false,
        findings: [
          {
            severity: 'high',
            category: 'requirement',
            file: 'docs/auth_final.md',
            line: 7,
            description: 'Tokens is bold text, not a heading: the link #tokens leads nowhere',
            evidence: '**Tokens**',
          },
        ],
      },
      after_ms: 500,
    },
    {
      when: { model: 'deepseek-r1' },
      structured: { verdict: 'PASS', critical_security_flaw: false, findings: [] },
      after_ms: 500,
    },
  ],
  claude: [
    {
      when: { includes: ['DOC-002-SHORT-GUIDE'] },
      structured: report('PASS', 'The guide says in three sentences what it said in 24 steps.', {
        file: 'docs/guide.md',
        line: 3,
        quote: 'Open the first page and read it. Go on to the next page. Stop after the last one.',
      }),
      after_ms: 600,
      usage: { in: 4100, out: 160, usd: 0.0185 },
    },
    {
      times: 1,
      structured: report(
        'FAIL',
        'One internal link of the sources is lost.',
        { file: 'docs/auth_final.md', line: 9, quote: 'A token is valid for 15 minutes and can be renewed once.' },
        {
          blocking_issues: [
            {
              severity: 'high',
              category: 'requirement',
              file: 'docs/auth_final.md',
              line: 9,
              description: 'Requirement "Maintain internal links": the link from Tokens back to Login is missing',
              fix_required: 'Add "See [login](#login)." to the section Tokens',
            },
          ],
        },
      ),
      after_ms: 600,
      usage: { in: 5200, out: 240, usd: 0.0242 },
    },
    {
      structured: report('PASS', 'All three requirements are met.', {
        file: 'docs/auth_final.md',
        line: 9,
        quote: 'A token is valid for 15 minutes and can be renewed once. See [login](#login).',
      }),
      after_ms: 600,
      usage: { in: 5400, out: 180, usd: 0.0231 },
    },
  ],
};
