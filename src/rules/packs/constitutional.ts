/** Who may do what on the line: nobody does another's work, nobody approves his own, counters count, tests stay. */
export const CONSTITUTIONAL = String.raw`schema: andon.rules/v1
rules:
  - id: CONSTITUTION-001
    version: '1.1.0'
    title: An analysis does not suggest solutions
    severity: CRITICAL
    category: constitutional
    tags: [roles, analysis]
    phase: ANALYSIS
    handler: TERMINATE
    match:
      on: plan
      pattern: '(?i)\b(?:analy[sz]er|analyst)\b[^.\n]{0,120}\b(?:suggest|propos|recommend|implement|cod)(?:e|es|s|ed|ing)?\b[^.\n]{0,60}\b(?:solutions?|fix(?:es)?|designs?|implementations?|code|patch(?:es)?|changes?|approach(?:es)?|refactor\w*)\b'
      not_pattern: '(?i)\b(?:not|never|no|nor|neither|without|cannot|can''t|won''t|doesn''t|don''t|isn''t|must ?n''t|refrains?|avoids?|forbidden)\b'
    message: Agent attempted to suggest a solution in the ANALYSIS phase
    suggestion: Describe the problem and its limits; leave the solution to the planner
    tests:
      violates:
        - The Analyzer suggests a solution with a second cache.
        - 'As the analyst I propose this fix: retry twice.'
      passes:
        - The Analyzer must not suggest solutions.
        - The analyzer lists every call site and who owns it.
        - The planner suggests a solution with a second cache.
    metadata: { constitutional_basis: 'AGENT_CONSTITUTION.md#3', human_in_loop: true }

  - id: CONSTITUTION-002
    version: '1.0.0'
    title: Every iteration is counted
    severity: CRITICAL
    category: process
    tags: [iteration]
    phase: REVIEW
    handler: TERMINATE
    match:
      on: report
      pattern: '\biteration\s*=\s*\d+'
      not_pattern: '\biteration\s*=\s*\d+\s*\+\s*\+'
    message: Iteration counter not incremented
    suggestion: Write the counter as it was, followed by ++
    tests:
      violates: ['iteration = 5', 'iteration = 12', 'iteration=3']
      passes: ['iteration = 5 ++', 'iteration = 12 ++', 'the iteration took 3 minutes']
    metadata: { constitutional_basis: 'AGENT_CONSTITUTION.md#6' }

  - id: CONSTITUTION-003
    version: '1.0.0'
    title: A planner plans and does not implement
    severity: HIGH
    category: constitutional
    tags: [roles, planning]
    phase: [ANALYSIS, TASKS]
    handler: QUICK_FIX
    match:
      on: plan
      pattern: '(?i)\bplanner\b[^.\n]{0,120}\b(?:implement(?:s|ed|ing)?|writes? (?:the )?code|codes|edits? (?:the )?(?:files?|source)|commits?|merges?)\b'
      not_pattern: '(?i)\b(?:not|never|no|nor|neither|without|cannot|can''t|won''t|doesn''t|don''t|must ?n''t|refrains?|avoids?|forbidden|implementer)\b'
    message: The planner attempted to do the work of the implementer
    suggestion: Split the work into tasks and hand them to the implementer
    tests:
      violates:
        - The Planner implements the parser itself.
        - Then the planner edits the files and commits them.
      passes:
        - The planner never implements anything.
        - The planner hands the parser to the implementer.
        - The planner writes one task for each module.

  - id: CONSTITUTION-004
    version: '1.0.0'
    title: A reviewer reviews and does not change the code
    severity: HIGH
    category: constitutional
    tags: [roles, review]
    phase: REVIEW
    handler: QUICK_FIX
    match:
      on: report
      pattern: '(?i)\b(?:I|we|the reviewer|the judge)\b(?:''ve| have| has| also| already)* (?:fixed|changed|edited|rewrote|rewritten|patched|committed|merged|refactored) (?:the|it|this|that|them|your|some)\b'
    message: A reviewer changed what it was to review
    suggestion: Report the finding; the implementer changes the code
    tests:
      violates:
        - I fixed the off-by-one in range.ts.
        - The reviewer has edited the test so that it passes.
      passes:
        - I have not changed the code.
        - I would have changed the code, but only report the finding.
        - The implementer fixed the loop in attempt 2.
        - Line 12 compares with the wrong bound.

  - id: CONSTITUTION-005
    version: '1.0.0'
    title: Nobody approves his own work
    severity: HIGH
    category: constitutional
    tags: [roles, approval]
    phase: IMPLEMENTATION
    handler: QUICK_FIX
    match:
      on: response
      pattern: '(?i)\b(?:I|we) (?:hereby |now |also )?(?:approve|accept|sign off on) (?:my|our|this|the|it)\b|\bself[- ]approv(?:e|ed|al)\b|\b(?:my|our) (?:own )?(?:change|work|patch|code) is (?:hereby )?approved\b'
      not_pattern: '(?i)\b(?:not|never|n''t|cannot|until|before|ask)\b'
    message: The implementer approved its own work
    suggestion: Describe the change; reviewer and judge decide
    tests:
      violates:
        - I approve this change.
        - My own work is approved.
      passes:
        - I cannot approve this change myself.
        - A human looks at it before I approve this change.
        - The change is ready for review.
        - We pass the path to the parser.

  - id: CONSTITUTION-006
    version: '1.0.0'
    title: Tests are not switched off to get green
    severity: HIGH
    category: testing
    tags: [tests]
    phase: [IMPLEMENTATION, REVIEW]
    handler: QUICK_FIX
    match:
      on: added_lines
      pattern: '\b(?:it|test|describe|context|suite)\.skip\s*\(|\bx(?:it|describe|test)\s*\(|^\s*@(?:pytest\.mark\.skip\b|unittest\.skip\b|Disabled\b|Ignore\b)|\bt\.Skip(?:Now|f)?\('
      keywords: ['skip', 'xit', 'xdescribe', 'xtest', '@disabled', '@ignore']
    message: A test was switched off
    suggestion: Repair the test or the code; a test that is wrong is removed with a reason
    tests:
      violates:
        - "it.skip('adds', () => {});"
        - '@pytest.mark.skip'
        - 't.Skip("later")'
      passes:
        - "it('skips blank lines', () => {});"
        - 'reader.skip(4)'
        - 'exit(1)'
`;
