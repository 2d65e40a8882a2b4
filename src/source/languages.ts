/** A programming language with a grammar. Node types are those of its tree-sitter grammar. */
export interface Language {
  readonly name: string;
  /** The grammar's name: `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  /** Endings of its files, in lower case, without the dot. */
  readonly endings: readonly string[];
  /** Nodes that are functions. */
  readonly functions: readonly string[];
  readonly nesting: readonly string[];
  /** A query whose captures `@module` are imported modules. */
  readonly imports: string;
  /** Only its `<script>` blocks are source code. */
  readonly isMarkup?: true;
}

function list(words: string): readonly string[] {
  return words.split(' ');
}

const SCRIPT_FUNCTIONS = list(
  'function_declaration function_expression arrow_function method_definition generator_function generator_function_declaration',
);

const SCRIPT_NESTING = list(
  'if_statement for_statement for_in_statement while_statement do_statement switch_statement try_statement',
);

/** Calls of anything but `import` and `require` are filtered by `find-imports.ts`, which knows the aliases. */
const SCRIPT_IMPORTS = `
  (import_statement source: (string) @module)
  (export_statement source: (string) @module)
  (call_expression function: (import) arguments: (arguments . (_) @module))
  (call_expression function: (_) @callee arguments: (arguments . [(string) (template_string) (binary_expression)] @module))
`;

const script = (name: 'javascript' | 'typescript', grammar: string, endings: string): Language => ({
  name,
  grammar,
  endings: list(endings),
  functions: SCRIPT_FUNCTIONS,
  nesting: SCRIPT_NESTING,
  imports:
    name === 'javascript' ? SCRIPT_IMPORTS : `${SCRIPT_IMPORTS} (import_require_clause source: (string) @module)`,
});

export const LANGUAGES: readonly Language[] = [
  script('javascript', 'javascript', 'js jsx mjs cjs'),
  script('typescript', 'typescript', 'ts mts cts'),
  script('typescript', 'tsx', 'tsx'),
  { ...script('typescript', 'typescript', 'vue svelte'), isMarkup: true },
  {
    name: 'python',
    grammar: 'python',
    endings: list('py pyi'),
    functions: list('function_definition'),
    nesting: list('if_statement for_statement while_statement try_statement with_statement match_statement'),
    imports: `
      (import_statement name: (dotted_name) @module)
      (import_statement name: (aliased_import name: (dotted_name) @module))
      (import_from_statement module_name: (_) @module)
      (call function: (identifier) @callee arguments: (argument_list . (string) @module))
      (call function: (attribute) @callee arguments: (argument_list . (string) @module))
    `,
  },
  {
    name: 'go',
    grammar: 'go',
    endings: list('go'),
    functions: list('function_declaration method_declaration func_literal'),
    nesting: list('if_statement for_statement expression_switch_statement type_switch_statement select_statement'),
    imports: '(import_spec path: (_) @module)',
  },
  {
    name: 'rust',
    grammar: 'rust',
    endings: list('rs'),
    functions: list('function_item closure_expression'),
    nesting: list('if_expression for_expression while_expression loop_expression match_expression'),
    imports: '(use_declaration argument: (_) @module) (extern_crate_declaration name: (identifier) @module)',
  },
  {
    name: 'java',
    grammar: 'java',
    endings: list('java'),
    functions: list('method_declaration constructor_declaration compact_constructor_declaration lambda_expression'),
    nesting: list(
      'if_statement for_statement enhanced_for_statement while_statement do_statement switch_expression try_statement try_with_resources_statement synchronized_statement',
    ),
    imports: '(import_declaration [(scoped_identifier) (identifier)] @module)',
  },
  {
    name: 'csharp',
    grammar: 'c-sharp',
    endings: list('cs'),
    functions: list(
      'method_declaration constructor_declaration local_function_statement lambda_expression anonymous_method_expression',
    ),
    nesting: list(
      'if_statement for_statement foreach_statement while_statement do_statement switch_statement try_statement using_statement lock_statement',
    ),
    imports: '(using_directive [(qualified_name) (identifier)] @module)',
  },
  {
    name: 'cpp',
    grammar: 'cpp',
    endings: list('c h cc cpp cxx hh hpp'),
    functions: list('function_definition lambda_expression'),
    nesting: list(
      'if_statement for_statement for_range_loop while_statement do_statement switch_statement try_statement',
    ),
    imports: '(preproc_include path: [(string_literal) (system_lib_string)] @module)',
  },
  {
    name: 'ruby',
    grammar: 'ruby',
    endings: list('rb'),
    functions: list('method singleton_method lambda'),
    nesting: list('if unless while until for case begin do_block'),
    imports: '(call method: (identifier) @callee arguments: (argument_list . (string) @module))',
  },
  {
    name: 'php',
    grammar: 'php',
    endings: list('php'),
    functions: list('function_definition method_declaration anonymous_function arrow_function'),
    nesting: list(
      'if_statement for_statement foreach_statement while_statement do_statement switch_statement try_statement',
    ),
    imports: `
      (namespace_use_clause . [(qualified_name) (name)] @module)
      [
        (require_expression (_) @module) (require_once_expression (_) @module)
        (include_expression (_) @module) (include_once_expression (_) @module)
      ]
    `,
  },
  {
    name: 'bash',
    grammar: 'bash',
    endings: list('sh bash'),
    functions: list('function_definition'),
    nesting: list('if_statement for_statement c_style_for_statement while_statement case_statement'),
    imports: '(command name: (command_name (word) @callee) . argument: (_) @module)',
  },
];

/** The language of a file by the ending of its path; undefined without a grammar. */
export function languageOf(path: string): Language | undefined {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return BY_ENDING.get(ending);
}

const BY_ENDING: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap((language) => language.endings.map((ending) => [ending, language] as const)),
);

export const languageNames: readonly string[] = [...new Set(LANGUAGES.map(({ name }) => name))];

/** The name of a file's language; undefined without a grammar. */
export const languageNameOf = (path: string): string | undefined => languageOf(path)?.name;
