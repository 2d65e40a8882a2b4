/** `JUDGE_REPORT.json` as a judge outside writes it: a PASS that proves what it says. */
export const report = (changes: object = {}): string =>
  JSON.stringify({
    task_id: 'DOC-001',
    grade: 'PASS',
    blocking_issues: [],
    required_fixes: [],
    evidence: [{ file: 'docs/auth_final.md', quote: 'Users log in with a passkey.' }],
    ...changes,
  });
