import type { Node, TreeCursor } from 'web-tree-sitter';

/** A leaf of the tree. */
interface SourceToken {
  readonly text: string;
  /** Set for identifiers: `.name` for what belongs to an object. */
  readonly name?: string;
  readonly isComment?: true;
}

/** A declaration or statement at the top of a file or of a class. */
export interface SourceUnit {
  /** The unit of the class around it. */
  readonly parent: number | undefined;
  /** Its place counts: it does something when it is reached. */
  readonly isFixed: boolean;
  readonly isImport: boolean;
  readonly tokens: SourceToken[];
  /** The names that its own function declares. */
  readonly locals: Set<string>;
}

interface Around {
  readonly unit: number;
  readonly declares: boolean;
  readonly isInFunction: boolean;
  readonly isInType: boolean;
  readonly depth: number;
}

/** Nodes nested deeper are read as one text: hostile code nests deeper than the stack. */
const DEEPEST = 500;

/** Splits a tree into units and collects the names that it declares. */
export class UnitReader {
  readonly units: SourceUnit[] = [];
  /** Names that are declared outside of functions. */
  readonly shared = new Set<string>();

  /** Makes a unit of each child of the cursor's node. */
  readContainer(cursor: TreeCursor, parent: number | undefined, depth = 0): void {
    if (!cursor.gotoFirstChild()) return;
    do {
      const { currentNode: node } = cursor;
      if (!node.isNamed) continue;
      if (COMMENT.test(node.type)) {
        this.units.at(-1)?.tokens.push(commentToken(node.text)); // a comment is no unit of its own
        continue;
      }
      const declaration = node.childForFieldName('declaration') ?? node.childForFieldName('definition') ?? node;
      const isImport = IMPORTS.test(node.type);
      const isFixed = !isImport && !isMovable(declaration);
      this.units.push({ parent, isFixed, isImport, tokens: [], locals: new Set() });
      const isInType = parent !== undefined;
      this.read(cursor, { unit: this.units.length - 1, declares: false, isInFunction: false, isInType, depth });
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  private read(cursor: TreeCursor, around: Around): void {
    const { currentNode: node, nodeType: type } = cursor;
    if (node.childCount === 0 || isPlainString(node) || around.depth > DEEPEST) return this.take(cursor, node, around);
    if (isExpansion(node)) return this.takeExpansion(node, around);
    const isClass = CLASS.test(type);
    const isFunction = FUNCTION.test(type);
    if (!cursor.gotoFirstChild()) return;
    do {
      const field = cursor.currentFieldName;
      if (isClass && field === 'body') {
        this.readContainer(cursor, around.unit, around.depth + 1);
        continue;
      }
      const isPart = isFunction && FUNCTION_PARTS.test(field ?? '');
      this.read(cursor, {
        unit: around.unit,
        declares: declaresThrough(type, field, around.declares),
        isInFunction: around.isInFunction || isPart,
        isInType: around.isInType && !isPart,
        depth: around.depth + 1,
      });
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }

  private take(cursor: TreeCursor, node: Node, around: Around): void {
    const { type, text } = node;
    const tokens = this.units[around.unit]?.tokens;
    if (COMMENT.test(type)) tokens?.push(commentToken(text));
    else if (!NAME.test(type)) {
      const written = normalise(text);
      if (written !== '') tokens?.push({ text: written });
    } else {
      const isMember = MEMBER_TYPE.test(type) || MEMBER_FIELD.test(cursor.currentFieldName ?? '');
      tokens?.push({ text, name: isMember ? `.${text}` : text });
      if (around.declares) this.addName(text, around, isMember);
    }
  }

  /** `$name` and `${name}` are the same. */
  private takeExpansion(node: Node, { unit }: Around): void {
    const text = node.namedChild(0)?.text ?? '';
    this.units[unit]?.tokens.push({ text: '$' }, { text, name: text });
  }

  private addName(name: string, { unit, isInFunction, isInType }: Around, isMember: boolean): void {
    if (isInFunction) this.units[unit]?.locals.add(name);
    else {
      this.shared.add(name);
      if (isInType || isMember) this.shared.add(`.${name}`);
    }
  }
}

const commentToken = (text: string): SourceToken => ({ text: text.replace(/\s+/g, ' ').trim(), isComment: true });

const COMMENT = /comment/;
const NAME =
  /identifier|^(?:name|constant|variable_name|word|simple_symbol|instance_variable|global_variable|hash_key_symbol)$/;
const MEMBER_TYPE = /^(?:property_identifier|private_property_identifier|field_identifier)$/;
const MEMBER_FIELD = /^(?:property|attribute|field|method)$/;
const IMPORTS = /import|^use_declaration$|^using_directive$|^preproc_include$|^namespace_use_declaration$/;
/** Struct and enum are not among them: the order of their parts counts. */
const CLASS =
  /^(?:class|class_declaration|class_definition|interface_declaration|impl_item|trait_item|module|internal_module|namespace_declaration|namespace_definition|object_declaration|class_specifier|trait_declaration|mod_item)$/;
const FUNCTION = /function|method|arrow|closure|lambda|constructor|func_literal/;
const FUNCTION_PARTS = /^(?:body|parameters?|receiver)$/;

/** Whether a declaration can stand elsewhere in its block and mean the same. */
function isMovable(node: Node): boolean {
  if (
    /^(?:lexical_declaration|variable_declaration|const_declaration|var_declaration|field_declaration)$/.test(node.type)
  )
    return node.descendantsOfType(['variable_declarator', 'const_spec', 'var_spec']).every(hasQuietValue);
  if (/^(?:const_item|static_item|public_field_definition|assignment|variable_assignment)$/.test(node.type))
    return hasQuietValue(node);
  if (node.type === 'expression_statement' && node.namedChildCount === 1) {
    const child = node.namedChild(0);
    return child?.type === 'assignment' && hasQuietValue(child);
  }
  return MOVABLE.test(node.type);
}

const MOVABLE =
  /function|method|constructor|class|interface|type_alias|type_declaration|type_definition|trait|impl|_item$|signature|decorated_definition|record|enum|struct|^preproc_def$|^declaration$|property_declaration/;

/** A literal or a function: nothing happens when it is evaluated. */
function hasQuietValue(node: Node): boolean {
  const value = node.childForFieldName('value') ?? node.childForFieldName('right');
  if (value === null) return true;
  const only = value.type === 'expression_list' && value.namedChildCount === 1 ? value.namedChild(0) : value;
  return (
    only !== null &&
    /string|number|integer|float|literal|^true$|^false$|arrow_function|function_expression/.test(only.type)
  );
}

/** Whether a child of a node of this type introduces the names in it. */
function declaresThrough(type: string, field: string | null, isDeclaring: boolean): boolean {
  if (FOREIGN.test(type)) return false;
  if (field === null) return isDeclaring && PATTERN.test(type);
  if (DECLARING.test(field)) return true;
  return isDeclaring && PATTERN.test(type) && !RESETTING.test(field);
}

const FOREIGN =
  /import|call|invocation|access|member_expression|attribute|scoped|qualified|keyword_argument|using|namespace_use|export_specifier|package|selector|subscript/;
const PATTERN = /pattern|declarator|parameter|identifier_list|expression_list|variable_list|tuple|left_assignment_list/;
const DECLARING = /^(?:name|pattern|declarator|parameters?|left|variable|alias|receiver)$/;
const RESETTING = /^(?:value|type|body|right|return_type|default_value|size)$/;

const isPlainString = (node: Node): boolean =>
  /string|char/.test(node.type) &&
  node.descendantsOfType(INTERPOLATIONS).length === 0 &&
  !node.type.startsWith('concatenated');

const INTERPOLATIONS = [
  'template_substitution',
  'interpolation',
  'expansion',
  'simple_expansion',
  'command_substitution',
  'arithmetic_expansion',
  'variable_name',
];

const isExpansion = (node: Node): boolean =>
  /^(?:simple_)?expansion$/.test(node.type) && node.namedChildCount === 1 && /^\$\{?\w+\}?$/.test(node.text);

/** One kind of quote; no commas and semicolons, which formatters add and remove. */
function normalise(text: string): string {
  const trimmed = text.trim();
  if (/^[,;]$/.test(trimmed)) return '';
  return /^(["'`])[^"'`\\]*\1$/.test(trimmed) ? `'${trimmed.slice(1, -1)}'` : trimmed;
}
