import type { Edit } from './answer.ts';

/**
 * The line with which an edit omits parts of a file: `// ... existing code ...`, `# rest of the file unchanged`, or a
 * whole file of `<the updated content>`. Written verbatim it would empty the file. Undefined without one; the
 * SEARCH part of a block may contain such a line.
 */
export function findElision(edit: Edit): string | undefined {
  if (edit.kind === 'delete') return undefined;
  if (edit.kind === 'write') return PLACEHOLDER.exec(edit.content.trim())?.[0] ?? markIn(edit.content);
  return edit.blocks
    .map(({ search, replace }) => {
      const mark = markIn(replace);
      return mark === undefined || search.includes(mark) ? undefined : mark;
    })
    .find((mark) => mark !== undefined);
}

/** A long line is no remark. */
const LONGEST = 160;

function markIn(text: string): string | undefined {
  return text
    .split('\n')
    .find((line) => line.length <= LONGEST && (DOTTED.test(line) || SAID.test(line)))
    ?.trim();
}

/** Comment openers of most languages. */
const SIGN = String.raw`^\s*(?://+|#+|/?\*+|--+|;+|%+|<!--|\{/\*)\s*[[(]?`;
const CLOSE = String.raw`[.…]{0,3}[\])]?\s*(?:\*/\}?|-->)?\s*$`;
const DOTS = String.raw`(?:\.{3}|…)`;
const PARTS = String.raw`(?:code|files?|contents?|document|functions?|methods?|class|implementation|imports?|sections?|tests?|lines|text)`;
const WHAT = String.raw`(?:the )?(?:rest(?: of (?:the )?(?:\w+ )?${PARTS})?|(?:remaining|remainder of the|existing|previous|original|other|unchanged) ${PARTS})`;
const FATE = String.raw`(?:(?: (?:is|are|remains?|stays?|stay|left|kept|goes))? (?:unchanged|unmodified|the same|as is|as before|as it (?:is|was)|omitted(?: for brevity)?|here))`;
/** An elision between ellipses, in a comment or alone: `... existing code ...`. */
const DOTTED = new RegExp(
  `(?:${SIGN}|^\\s*[[(<]?)${DOTS} ?(?:the )?(?:rest|remaining|remainder|existing|previous|original|other|unchanged|same)\\b[^\\n]{0,80}${DOTS}[\\])>]?\\s*(?:\\*/\\}?|-->)?\\s*$`,
  'i',
);
/** A comment with an elision: `rest of the file unchanged`, `... the remaining methods`, `existing code here`. */
const SAID = new RegExp(`${SIGN}(?:${DOTS} ?${WHAT}${FATE}?|${WHAT}${FATE})${CLOSE}`, 'i');
/** `<the updated content>`, `[insert code here]`: the only line of the file. */
const PLACEHOLDER =
  /^(?:<|\[|\{\{?|\()\s*(?:(?:the|your|full|complete|updated|new|entire|actual|rest|of|insert|put|paste|add|whole|modified|final) ){1,5}(?:file |source )?(?:content|contents|code|file|implementation|text|document)(?: (?:here|goes here|of [\w./ -]{1,60}))?\s*(?:>|\]|\}\}?|\))$/i;
