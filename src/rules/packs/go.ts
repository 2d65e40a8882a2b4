/** A start for projects in Go. */
export const GO = String.raw`schema: andon.rules/v1
rules:
  - id: go.no-ignored-error
    version: '1.0.0'
    title: Errors are not thrown away
    severity: HIGH
    category: style
    stack: [go]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*(?:\w+\s*,\s*)*_\s*:?=\s*(?:os|io|json|sql|http|strconv|ioutil|bufio|xml|net|time|url)\.(?:Open|Create|ReadFile|ReadAll|WriteFile|Marshal|MarshalIndent|Unmarshal|Get|Post|Atoi|Parse\w*|Copy|Remove|RemoveAll|Mkdir\w*|NewRequest\w*|Dial\w*)\('
      keywords: ['_']
      file_patterns: ['*.go']
    message: The error of a call is thrown away
    suggestion: Handle it, or return it with context
    tests:
      violates: ['data, _ := os.ReadFile(path)', "\tn, _ = strconv.Atoi(text)"]
      passes: ['data, err := os.ReadFile(path)', 'for _, item := range items {', 'value, _ := cache[key]']

  - id: go.no-panic
    version: '1.0.0'
    title: No panic in libraries
    severity: MEDIUM
    category: style
    stack: [go]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*panic\('
      keywords: ['panic']
      file_patterns: ['*.go']
      exclude_patterns: ['*_test.go', 'main.go']
    message: A panic ends the whole program
    suggestion: Return an error
    tests:
      violates: ['panic("unreachable")', "\tpanic(err)"]
      passes: ['return fmt.Errorf("no row: %w", err)', 'defer recoverFromPanic()']

  - id: go.no-print
    version: '1.0.0'
    title: No fmt.Println left behind
    severity: LOW
    category: style
    stack: [go]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*(?:fmt\.Print(?:ln|f)?|println)\('
      keywords: ['print']
      file_patterns: ['*.go']
      exclude_patterns: ['*_test.go', 'cmd/**', 'main.go']
    message: A debugging print is left in the code
    suggestion: Remove it, or use the project's logger
    soft_hooks: { priority_boost_phase: REVIEW }
    tests:
      violates: ['fmt.Println("here")', "\tprintln(x)"]
      passes: ['fmt.Fprintln(w, "ok")', 'log.Printf("%d rows", n)']

  - id: go.nolint-with-reason
    version: '1.0.0'
    title: A linter is silenced with a reason only
    severity: MEDIUM
    category: style
    stack: [go]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '//\s*nolint(?::[\w,]+)?\s*$'
      keywords: ['nolint']
      file_patterns: ['*.go']
    message: A linter is silenced without a reason
    suggestion: "Name the linter and the reason: //nolint:gosec // the path is a constant"
    tests:
      violates: ['value := f() //nolint', 'value := f() //nolint:gosec']
      passes: ['value := f() //nolint:gosec // the path is a constant', '// the nolint comment needs a reason']

  - id: go.function-length
    version: '1.0.0'
    title: Functions of at most 80 lines
    severity: MEDIUM
    category: style
    stack: [go]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      file_patterns: ['*.go']
    checks: [{ type: metric, metric: function_lines, max: 80 }]
    message: A function is longer than 80 lines
    suggestion: Split it by what it does
    tests:
      violates: __LONG__
      passes:
        - { file: a.go, text: "func f() int {\n\treturn 1\n}\n" }
        - { file: b.go, text: "func (s *Server) g() {\n}\n" }
`.replace('__LONG__', longFunctions());

/** Two functions of 81 lines, as the examples of a limit of 80. */
function longFunctions(): string {
  const body = '\\twork()\\n'.repeat(79);
  return `
        - { file: a.go, text: "func f() {\\n${body}}\\n" }
        - { file: b.go, text: "func (s *Server) g() {\\n${body}}\\n" }`;
}
