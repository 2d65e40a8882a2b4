import type { Drill } from './drill.ts';
import { TARGET } from './sample.ts';
import { once, reviewPasses } from './scenario.ts';
import type { Call } from './scenario.ts';
import { version, writesVersion } from './versions.ts';

/** A local review with one security finding. */
const finds = (severity: string, critical: boolean): Call =>
  reviewPasses({
    structured: {
      verdict: critical ? 'FAIL' : 'PASS',
      critical_security_flaw: critical,
      findings: [
        {
          severity,
          category: 'security',
          file: TARGET,
          line: 5,
          description: 'A password is accepted in place of a passkey',
          evidence: 'A password is the fallback.',
        },
      ],
    },
  });

/** A flaw that one of two workers calls critical is not outvoted by the other. */
export const paradox: Drill = {
  name: 'paradox',
  breaker: 'paradox',
  injects: 'a judge who passes what the local reviewer calls a critical security flaw',
  situations: [
    {
      injects: 'a reviewer who finds a critical security flaw, and a judge who says PASS',
      agents: {
        implementer: [once(writesVersion(1)), writesVersion(2)],
        reviewer: [once(finds('critical', true)), reviewPasses()],
      },
      halt: {
        breaker: 'paradox',
        says: 'the judge says PASS, the local review holds a critical security flaw',
        figures: { 'judge calls': 1, 'reviewer calls': 1, merges: 0 },
        path: 1,
      },
      end: { status: 'merged', figures: { attempts: 2, 'judge calls': 2 }, holds: { [TARGET]: version(2) } },
    },
    {
      injects: 'the same; the human sides with the judge',
      agents: { implementer: [writesVersion(1)], reviewer: [finds('critical', true)] },
      halt: { breaker: 'paradox', says: 'the judge says PASS', path: 2 },
      end: { status: 'merged', figures: { attempts: 1, 'judge calls': 1 }, holds: { [TARGET]: version(1) } },
    },
    {
      injects: 'one step below: the reviewer calls the same flaw medium',
      agents: { implementer: [writesVersion(1)], reviewer: [finds('medium', false)] },
      end: { status: 'merged', figures: { attempts: 1, 'judge calls': 1 }, holds: { [TARGET]: version(1) } },
    },
  ],
};
