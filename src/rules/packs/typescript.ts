/** A start for projects in TypeScript and JavaScript: what reviewers say again and again, said by a program. */
export const TYPESCRIPT = String.raw`schema: andon.rules/v1
rules:
  - id: ts.no-debugger
    version: '1.0.0'
    title: No debugger statements
    severity: HIGH
    category: style
    stack: [typescript, javascript]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*debugger\s*;?\s*(?://.*)?$'
      keywords: [debugger]
      file_patterns: ['*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}']
    message: A debugger statement is left in the code
    suggestion: Remove it
    quick_fix: { type: TYPE-A }
    tests:
      violates: ['  debugger;', 'debugger']
      passes: ['const debuggerPort = 9229;', "log('debugger attached');"]

  - id: ts.no-focused-test
    version: '1.0.0'
    title: No focused tests
    severity: HIGH
    category: testing
    stack: [typescript, javascript]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '\b(?:it|test|describe|suite|context)\.only\s*\(|^\s*f(?:it|describe)\s*\('
      keywords: ['.only', 'fit', 'fdescribe']
      file_patterns: ['*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}']
    message: A focused test keeps all others from running
    suggestion: Remove .only
    quick_fix: { type: TYPE-A }
    tests:
      violates: ["it.only('adds', () => {});", "fdescribe('sum', () => {});"]
      passes: ["it('adds only numbers', () => {});", 'curve.fit(points);', 'options.only(first);']

  - id: ts.no-eval
    version: '1.0.0'
    title: No code from text
    severity: HIGH
    category: security
    stack: [typescript, javascript]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '(?:^|[^.\w])(?:eval\s*\(|new\s+Function\s*\()'
      keywords: ['eval', 'function']
      file_patterns: ['*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}']
    message: Text is run as code
    suggestion: Parse the text, or look the function up in a table
    tests:
      violates: ['const value = eval(text);', "const f = new Function('a', body);"]
      passes: ['const score = model.eval(batch);', 'const retrieval = (x) => x;', 'evaluate(text);']

  - id: ts.no-ts-ignore
    version: '1.0.0'
    title: The type checker is not silenced
    severity: MEDIUM
    category: style
    stack: [typescript]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '@ts-(?:ignore|nocheck)\b'
      keywords: ['@ts-']
      file_patterns: ['*.{ts,tsx,mts,cts}']
    message: The type checker is silenced for the next line or the whole file
    suggestion: Mend the type; where that is impossible, @ts-expect-error with a reason tells when it is not needed any more
    tests:
      violates: ['// @ts-ignore', '/* @ts-nocheck */']
      passes: ['// @ts-expect-error: the package has no types for this', '// never use ts-ignore']

  - id: ts.no-any
    version: '1.0.0'
    title: No any
    severity: MEDIUM
    category: style
    stack: [typescript]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '\bas\s+any\b|[\w)\]]\??\s*:\s*any\b(?:\[\])?\s*(?:[,;)=]|$)|<any>'
      not_pattern: '^\s*(?://|\*)'
      keywords: ['any']
      file_patterns: ['*.{ts,tsx,mts,cts}']
    message: any switches the type checker off
    suggestion: unknown, narrowed where it is used, or the real type
    tests:
      violates: ['const row = value as any;', 'function f(input: any) {']
      passes: ['const anyOf: unknown = value;', '// as any other value', "const text = 'pick any';"]

  - id: ts.no-console-log
    version: '1.0.0'
    title: No debugging prints left behind
    severity: LOW
    category: style
    stack: [typescript, javascript]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*console\.(?:log|debug|trace)\s*\('
      keywords: ['console.']
      file_patterns: ['*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}']
      exclude_patterns: ['scripts/**', '*.test.*', '*.spec.*']
    message: A debugging print is left in the code
    suggestion: Remove it, or use the project's logger
    soft_hooks:
      priority_boost_phase: REVIEW
      interceptors: [{ type: referrer, config: { threshold: 3, upgrade_to: P2 } }]
    tests:
      violates: ["console.log('here');", 'console.debug(value);']
      passes: ["console.error('failed');", "logger.log('here');"]

  - id: ts.function-length
    version: '1.0.0'
    title: Functions of at most 50 lines
    severity: MEDIUM
    category: style
    stack: [typescript, javascript]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      file_patterns: ['*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}']
    checks: [{ type: metric, metric: function_lines, max: 50 }]
    message: A function is longer than 50 lines
    suggestion: Split it by what it does
    tests:
      violates: __LONG__
      passes:
        - { file: a.ts, text: "function f() {\n  return 1;\n}\n" }
        - { file: b.ts, text: "export const g = () => 2;\n" }
`.replace('__LONG__', longFunctions());

/** Two functions of 51 lines, as the examples of a limit of 50. */
function longFunctions(): string {
  const body = (line: string): string => `${line}\\n`.repeat(49);
  return `
        - { file: a.ts, text: "function f() {\\n${body('  work();')}}\\n" }
        - { file: b.js, text: "const g = () => {\\n${body('  work();')}};\\n" }`;
}
