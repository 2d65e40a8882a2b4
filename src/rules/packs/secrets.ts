/** Keys, tokens and passwords stay out of the repository; the examples are put together here, so that none stands in a file. */
export const SECRETS = `schema: andon.rules/v1
rules:
  - id: security.no-hardcoded-secrets
    version: '1.0.0'
    title: No Hardcoded Secrets
    severity: CRITICAL
    modality: MUST
    category: security
    tags: [secrets, env, credentials]
    phase: [ANALYSIS, TASKS, IMPLEMENTATION, REVIEW]
    handler: TERMINATE
    waivable: true
    content: |
      Never hardcode API keys, passwords, or tokens in source code.
      - Load all secrets from environment variables
      - Use a secrets manager in production
    checks:
      - { type: plan, layers: [keyword, semantic, llm] }
      - { type: secrets }
    message: No Hardcoded Secrets
    suggestion: Read it from the environment or a secrets manager, and revoke what was committed
    tests:
      violates:
        - { plan: 'Hardcode the API key in config.ts' }
        - { file: src/config.ts, text: 'const token = "${['ghp', '8fJq2LmZx7RtVb4NcYw6KdHs3PgAe9UoT1i5'].join('_')}";' }
        - { file: app.env, text: 'STRIPE_KEY=${['sk', 'live', '9aB3dE6fG8hJ2kL4mN7pQ1rS'].join('_')}' }
      passes:
        - { plan: 'We will ensure no hardcoded secrets' }
        - { file: src/config.py, text: 'token = os.environ["GITHUB_TOKEN"]' }
        - { file: src/colour.ts, text: 'const accent = "#1f6feb";' }
`;
