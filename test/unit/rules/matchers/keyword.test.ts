import { describe, expect, it } from 'vitest';
import { matchKeywords } from '../../../../src/rules/matchers/keyword.ts';
import { matchSemantics } from '../../../../src/rules/matchers/semantic.ts';
import { aRule } from '../../../support/rules.ts';

const SECRETS = aRule({
  title: 'No Hardcoded Secrets',
  content:
    'Never hardcode API keys, passwords, or tokens in source code.\n- Load all secrets from environment variables',
});
const TESTS = aRule({
  title: 'Tests Required',
  content: 'Every change must come with tests.\n- Do not delete failing tests',
});
const AUTH = aRule({ title: 'Authentication Authorization' });

describe('the keyword layer', () => {
  it.each(['We will ensure no hardcoded secrets', 'We do not hardcode API keys'])('%s: kept', (plan) => {
    expect(matchKeywords(SECRETS, plan).status).toBe('PASS');
  });

  it.each([
    'Hardcode the API key in config.ts',
    'Do not hardcode keys in tests. In config.ts we hardcode the API keys.',
    'Avoid delays: hardcode the password for now',
    // words that only look like a denial: hard-ly, strip, quit, wipe
    'Ship with hard-coded passwords for the demo',
  ])('%s: violated', (plan) => {
    expect(matchKeywords(SECRETS, plan)).toMatchObject({ status: 'VIOLATED', layer: 'keyword' });
  });

  it.each(['Skip the tests for now', 'The tests will follow next sprint', 'Ship it without tests'])(
    'what is asked for and put off or left out is violated: %s',
    (plan) => {
      expect(matchKeywords(TESTS, plan).status).toBe('VIOLATED');
    },
  );

  it.each(['Never skip a test', 'Un-skip the tests', 'Do not delete the failing tests'])(
    'two denials are none: %s',
    (plan) => {
      expect(matchKeywords(TESTS, plan).status).toBe('PASS');
    },
  );

  it.each([
    ['Errors are swallowed by an empty catch', 'VIOLATED'],
    ['Every debug print is removed', 'NOT_COVERED'],
  ])('what is done and by whom it is left open counts as well: %s', (plan, status) => {
    const rule = aRule({ title: 'Error Handling Requirements', content: 'Always log errors with context' });
    expect(matchKeywords(rule, plan).status).toBe(status);
  });

  const LOGS = aRule({ title: 'Mask Secrets in CI', content: 'Pipeline logs must not contain secrets.' });

  it.each([
    'Hash the password with argon2id before saving the user',
    'API keys come from Vault; nothing is hardcoded',
    'Mask the secrets before they reach the pipeline logs',
  ])('a ban is broken only where what it is about is met, and not by its remedy: %s', (plan) => {
    expect(matchKeywords(LOGS, plan).status).not.toBe('VIOLATED');
  });

  it('the words of a phrase count only in their order', () => {
    expect(matchKeywords(SECRETS, 'Hardcode the API key').status).toBe('VIOLATED');
    expect(matchKeywords(SECRETS, 'Hardcode the key API of the map').status).toBe('UNDECIDED');
  });

  it.each([
    ['비밀번호를 하드코딩하지 않는다', 'the words of the plan are not English'],
    ['把密码写死在代码里', 'the words of the plan are not English'],
    ['Should we hardcode the API key?', 'may go against'],
    ['Today we hardcode the API key', 'may go against'],
  ])('is not sure where words do not decide: %s', (plan, reason) => {
    const match = matchKeywords(SECRETS, plan);
    expect(match.status).toBe('UNDECIDED');
    expect(match.reason).toContain(reason);
  });

  it.each([
    ['Change the colour without touching the tests', 'NOT_COVERED'],
    ['Re-enable the skipped tests', 'UNDECIDED'],
    ['Ship without tests. Add the tests.', 'UNDECIDED'],
  ])('does not accuse what only sounds like an omission: %s', (plan, status) => {
    expect(matchKeywords(TESTS, plan).status).toBe(status);
  });

  it.each([
    ['Do not approve your own change', 'Ask Dana to approve the change'],
    ['Never retry more than three times', 'Retry at most three times'],
  ])('is not sure where a ban is narrower than the plan: %s', (ban, plan) => {
    expect(matchKeywords(aRule({ title: 'Narrow ban', content: ban }), plan).status).not.toBe('VIOLATED');
  });

  it('does not accuse by a heading alone', () => {
    expect(matchKeywords(aRule({ title: 'Feature Flags' }), 'Remove the feature flag').status).not.toBe('VIOLATED');
  });

  const STORAGE = aRule({
    title: 'Sessions',
    content: 'Session tokens live in httpOnly cookies.\n- Never store tokens in localStorage',
  });

  it.each([
    'Move the tokens out of localStorage',
    'Add a lint rule against tokens in localStorage',
    'Store the theme in localStorage',
  ])('does not accuse a clause whose verb does not do what is forbidden: %s', (plan) => {
    expect(matchKeywords(STORAGE, plan).status).not.toBe('VIOLATED');
  });

  it.each([
    'The scanner reports hardcoded passwords',
    'We hardcode nothing: passwords come from the vault',
    'Unlike the prototype, which hardcoded the password, this reads it from the vault',
    'The password is hardcoded. Move it to the vault.',
  ])('does not accuse who finds, bans or denies a fault: %s', (plan) => {
    expect(matchKeywords(SECRETS, plan).status).not.toBe('VIOLATED');
  });

  it.each([
    ['Never write email addresses to log files.', 'Encrypt email addresses and rotate log files weekly.'],
    ['Containers must never run as root.', 'Run the build as root on the host and the container as user node.'],
    ['Never build SQL by string concatenation.', 'Build the name by string concatenation and the SQL with a template.'],
    ['Do not deploy on Fridays.', 'Deploy on Monday after the Friday meeting.'],
    ['Do not add new npm dependencies.', 'Add a script that prints outdated npm dependencies.'],
    ['Never cache authenticated responses.', 'Log authenticated responses with their status code.'],
    ['Never add new dependencies.', 'Create a dependency graph page.'],
    ['Never log passwords.', 'Add the password to the log filter.'],
    ['Delete customer data after 30 days (ISO 27001).', 'Delete customer data after 90 days (ISO 27001).'],
    ['Follow RFC 7519.', 'Validate the token by RFC 8725.'],
    ['Do not commit binary files.', 'Show binary files in the list.'],
    ['Never mutate global variables.', 'Mutate only local variables.'],
    ['Every new feature must be behind a feature flag.', 'Remove expired feature flags.'],
  ])('is not sure where no act of the ban bears on all that it names: %s %s', (content, plan) => {
    expect(matchKeywords(aRule({ title: 'A rule', content }), plan).status).not.toBe('VIOLATED');
  });

  it.each([
    ['Never run containers as root.', 'Run the container as root on the old host only where it must.', 'UNDECIDED'],
    ['Never run containers as root.', 'Run the container as root.', 'VIOLATED'],
    ['Do not deploy on Fridays.', 'Deploy on Friday evening.', 'VIOLATED'],
    ['Never log secrets.', 'Print the secrets to the console.', 'VIOLATED'],
    ['Do not commit binary files.', 'Add the binary files to the commit.', 'VIOLATED'],
  ])('accuses the verb of the ban, or one of its kind: %s %s', (content, plan, status) => {
    expect(matchKeywords(aRule({ title: 'A rule', content }), plan).status).toBe(status);
  });

  it.each([
    ['Delete customer data after 90 days.', 'UNDECIDED'],
    ['Delete customer data after two years.', 'UNDECIDED'],
    ['Delete customer data after 30 days, from 3 tables.', 'PASS'],
    ['Delete customer data after thirty days in the end.', 'UNDECIDED'],
    ['Delete customer data on time.', 'PASS'],
  ])('does not pass a sentence with other numbers than the rule: %s', (plan, status) => {
    const rule = aRule({ title: 'Delete data', content: 'Delete customer data after 30 days.' });
    expect(matchKeywords(rule, plan).status).toBe(status);
  });

  it('does not pass a sentence that keeps one statement and may break another', () => {
    const rule = aRule({ title: 'History', content: 'Never force push to main.\n- Never rewrite published history' });
    const plan = 'Rewrite main to drop the bad commit and force push';
    expect(matchKeywords(rule, plan).status).not.toBe('PASS');
  });

  it.each(['The client stores the token in localStorage', 'We will keep the token in localStorage'])(
    'accuses a clause whose verb does what is forbidden: %s',
    (plan) => {
      expect(matchKeywords(STORAGE, plan).status).toBe('VIOLATED');
    },
  );

  it.each(['The tests are left out', 'No time for tests'])(
    'does not pass a demand that no clause plainly affirms: %s',
    (plan) => {
      expect(matchKeywords(TESTS, plan).status).not.toBe('PASS');
      expect(matchSemantics(TESTS, plan).status).not.toBe('PASS');
    },
  );

  it('says which sentence and which words decided', () => {
    const { reason, places } = matchKeywords(TESTS, 'Rename the helper. Ship it without tests.');
    expect(reason).toContain('without');
    expect(places).toEqual([expect.objectContaining({ excerpt: 'Ship it without tests.' })]);
  });

  it('shows nothing of a plan that could move the cursor', () => {
    expect(matchKeywords(TESTS, 'Ship it without tests \u001b[2J').reason).not.toContain('\u001b');
  });

  it('words that every object has as a property are words like others', () => {
    expect(matchKeywords(TESTS, 'constructor toString __proto__ hasOwnProperty').status).toBe('NOT_COVERED');
  });
});

describe('the semantic layer', () => {
  it.each([
    ['All input must be validated.', 'Weaken input validation.'],
    ['Requests must be rate limited.', 'Relax the rate limit of requests.'],
    ['Errors must be logged.', 'Suppress error logging.'],
    ['All input must be validated.', 'We will lower the existing input validation.'],
    ['All input must be validated.', 'Then neuter input validation.'],
    ['All input must be validated.', 'Suspend input validation until June.'],
    ['Requests must be rate limited.', 'Lift the rate limit.'],
  ])('takes a plan that may undo a rule for none that keeps it: %s %s', (content, plan) => {
    const rule = aRule({ title: content, content });
    expect([matchKeywords(rule, plan).status, matchSemantics(rule, plan).status]).not.toContain('PASS');
  });

  it.each([
    ['All traffic must use TLS.', 'Turn on TLS for all traffic.'],
    ['All input must be validated.', 'Middleware validates input.'],
    ['Requests must be rate limited.', 'Nginx rate limits requests.'],
  ])('takes a plan that keeps a rule by any verb for one that keeps it: %s %s', (content, plan) => {
    const rule = aRule({ title: content, content });
    expect([matchKeywords(rule, plan).status, matchSemantics(rule, plan).status]).toContain('PASS');
  });

  it.each([
    ['Process isolation', 'Plugins that parse untrusted files run in a sandbox.', 'Remove process isolation there.'],
    ['Pass Rate Monitoring', 'The dashboard shows all runs.', 'Remove the pass rate monitoring chart.'],
  ])('does not accuse by a heading that begins with a noun: %s', (title, content, plan) => {
    expect(matchKeywords(aRule({ title, content }), plan).status).not.toBe('VIOLATED');
  });

  it('accuses an act behind an `and` that joins two nouns', () => {
    const rule = aRule({ title: 'Never log secrets.', content: 'Never log secrets.' });
    expect(matchKeywords(rule, 'Log the build and process secrets.').status).toBe('VIOLATED');
  });

  it('accuses by an imperative whatever its last letters are', () => {
    const rule = aRule({ title: 'Never bypass authentication.', content: 'Never bypass authentication.' });
    expect(matchKeywords(rule, 'Bypass authentication for admins. Remove the old helper.').status).toBe('VIOLATED');
  });

  it('knows that tokens in cookies are about authentication, by the title alone', () => {
    const match = matchSemantics(AUTH, 'JWT tokens in httpOnly cookies');
    expect(match.status).toBe('PASS');
    expect(match.terms?.[0]?.term).toContain('auth');
  });

  it('gives the same score whatever was asked before', () => {
    const first = matchSemantics(AUTH, 'JWT tokens in httpOnly cookies').confidence;
    matchSemantics(SECRETS, 'JWT tokens in httpOnly cookies');
    matchSemantics(TESTS, 'Something else');
    expect(matchSemantics(aRule({ title: AUTH.title }), 'JWT tokens in httpOnly cookies').confidence).toBe(first);
  });

  it.each(['Disable the login', 'Store the JWT in localStorage', 'Hardcode the API key in config.ts'])(
    'never accuses, and praises nothing that is denied or a fault: %s',
    (plan) => {
      for (const rule of [AUTH, SECRETS, TESTS]) expect(matchSemantics(rule, plan).status).toBe('NOT_COVERED');
    },
  );
});

describe('a title that only names what the body forbids', () => {
  it.each([
    ['Force pushes', 'Never force push to a shared branch.', 'Disable force pushes'],
    ['Default exports', 'Do not use default exports.', 'Remove all default exports'],
    ['Open redirects', 'Never redirect to a URL from the query.', 'Remove the open redirects'],
    ['Use of eval', 'Never call eval.', 'Remove the use of eval'],
  ])('is not asked for: %s', (title, content, plan) => {
    expect(matchKeywords(aRule({ title, content }), plan).status).not.toBe('VIOLATED');
  });
});
