/** A start for projects in Python. */
export const PYTHON = String.raw`schema: andon.rules/v1
rules:
  - id: py.snake-case-functions
    version: '1.0.0'
    title: Function names are snake_case
    severity: HIGH
    category: style
    stack: [python]
    phase: [IMPLEMENTATION, REVIEW]
    handler: QUICK_FIX
    match:
      pattern: '\bdef\s+\w*[A-Z]\w*\s*\('
      not_pattern: '\bdef\s+(?:setUp|tearDown|setUpClass|tearDownClass|setUpModule|tearDownModule|setUpTestData|visit_[A-Z]\w*|do_[A-Z]+|assert[A-Z]\w*)\s*\('
      keywords: ['def ']
      file_patterns: ['*.py']
    message: Function name must follow snake_case
    suggestion: Rename to snake_case
    quick_fix: { type: TYPE-A, max_fixes: 5 }
    tests:
      violates: ['def parse_Data(x):', 'def ParseData():']
      passes: ['def parse_data(x):', 'default = Foo(', 'def setUp(self):']

  - id: py.no-breakpoint
    version: '1.0.0'
    title: No breakpoints left behind
    severity: HIGH
    category: style
    stack: [python]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*(?:breakpoint\(\)|(?:import\s+)?i?pdb(?:\.set_trace\(\)|\s*;|\s*$))'
      keywords: ['breakpoint', 'pdb']
      file_patterns: ['*.py']
    message: A breakpoint is left in the code
    suggestion: Remove it
    quick_fix: { type: TYPE-A }
    tests:
      violates: ['    breakpoint()', 'import pdb; pdb.set_trace()']
      passes: ['breakpoints = []', 'load_pdb_file(path)']

  - id: py.no-bare-except
    version: '1.0.0'
    title: No bare except
    severity: MEDIUM
    category: style
    stack: [python]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*except\s*(?:BaseException\s*)?:'
      keywords: ['except']
      file_patterns: ['*.py']
    message: A bare except also catches the end of the program
    suggestion: Name the exceptions that are expected
    tests:
      violates: ['    except:', 'except BaseException:']
      passes: ['    except ValueError:', 'except (OSError, KeyError) as error:']

  - id: py.no-mutable-default
    version: '1.0.0'
    title: No mutable default arguments
    severity: HIGH
    category: style
    stack: [python]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '\bdef\s+\w+\s*\([^)]*=\s*(?:\[[^\]]*\]|\{[^}]*\}|list\(\)|dict\(\)|set\(\))\s*[,)]'
      keywords: ['def ']
      file_patterns: ['*.py']
    message: A default value that can change is shared by all calls
    suggestion: Default to None and make the value inside
    tests:
      violates: ['def add(item, items=[]):', 'def f(a, options: dict = {}):']
      passes: ['def add(item, items=None):', 'rows = group(items=[])', 'def size(shape=(1, 2)):']

  - id: py.no-eval
    version: '1.0.0'
    title: No code from text
    severity: HIGH
    category: security
    stack: [python]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '(?:^|[^.\w])(?:eval|exec)\s*\('
      not_pattern: '\bdef\s+(?:eval|exec)\b'
      keywords: ['eval', 'exec']
      file_patterns: ['*.py']
    message: Text is run as code
    suggestion: ast.literal_eval for data, a table of functions for names
    tests:
      violates: ['value = eval(text)', 'exec(source, {})']
      passes: ['value = ast.literal_eval(text)', 'model.eval()', 'executor(task)', 'def eval(self):']

  - id: py.no-print
    version: '1.0.0'
    title: No print left behind
    severity: LOW
    category: style
    stack: [python]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      pattern: '^\s*print\s*\('
      keywords: ['print']
      file_patterns: ['*.py']
      exclude_patterns: ['scripts/**', 'test_*.py', '*_test.py', 'setup.py']
    message: A debugging print is left in the code
    suggestion: Remove it, or use logging
    soft_hooks: { priority_boost_phase: REVIEW }
    tests:
      violates: ['print("here")', '    print(value)']
      passes: ['logger.info("here")', 'blueprint(value)']

  - id: py.function-length
    version: '1.0.0'
    title: Functions of at most 50 lines
    severity: MEDIUM
    category: style
    stack: [python]
    phase: [IMPLEMENTATION, REVIEW]
    match:
      file_patterns: ['*.py']
    checks: [{ type: metric, metric: function_lines, max: 50 }]
    message: A function is longer than 50 lines
    suggestion: Split it by what it does
    tests:
      violates: __LONG__
      passes:
        - { file: a.py, text: "def f():\n    return 1\n" }
        - { file: b.py, text: "class A:\n    def g(self):\n        return 2\n" }
`.replace('__LONG__', longFunctions());

/** Two functions of 51 lines, as the examples of a limit of 50. */
function longFunctions(): string {
  const body = (line: string): string => `${line}\\n`.repeat(50);
  return `
        - { file: a.py, text: "def f():\\n${body('    work()')}" }
        - { file: b.py, text: "async def g():\\n${body('    work()')}" }`;
}
