import { isPath } from './things.ts';

/**
 * The files, folders and globs that a text names, each once, in order. Files that a sentence
 * forbids are left out.
 */
export function namedFiles(text: string): readonly string[] {
  const named = new Set<string>();
  for (const sentence of text.slice(0, LONGEST_TEXT).split(/\n|(?<=[.!?。])\s/u)) {
    if (FORBIDS.test(sentence)) continue;
    const rest = sentence.replace(/(["'`])([^"'`\n]{1,200})\1/g, (whole, _quote: string, inner: string) => {
      if (!/\s/.test(inner) || !/[/\\]|\.\w{1,8}$/.test(inner) || !isPath(inner.replaceAll(' ', '_')))
        return ` ${inner} `;
      named.add(inner);
      return ' ';
    });
    for (const [run] of rest.matchAll(/[^\s,;"'`()<>|，、；：。「」\p{Script=Hangul}\p{Script=Han}]+/gu)) {
      const name = fileIn(run);
      if (name !== undefined) named.add(name);
    }
  }
  return [...named];
}

const LONGEST_TEXT = 200_000;
const LONGEST_NAME = 300;
/** A forbidden file is not expected to change. */
const FORBIDS =
  /\b(?:do not|don['’]t|must not|mustn['’]t|never|without)\s+(?:\w+\s+){0,2}?(?:touch|chang|edit|modif|alter|delet|remov|creat|rewrit)\w*|\b(?:leave|keep)\b.{0,80}\b(?:alone|untouched|unchanged|as (?:it|they) (?:is|are))\b|건드리지|수정하지\s?마|변경하지\s?마|수정 금지|변경 금지|不要(?:修改|改动|触碰|动)|不得(?:修改|改动)|禁止(?:修改|改动)/iu;
/** Files without an extension, as they are usually spelt. */
const PLAIN =
  /^(?:Makefile|Dockerfile|Rakefile|Gemfile|Procfile|Jenkinsfile|Justfile|CODEOWNERS|LICENSE|CHANGELOG|README)$/;

function fileIn(run: string): string | undefined {
  if (run.length > LONGEST_NAME) return undefined;
  const bold = /^(\*{1,2})(.+?)\1[.:!?]*$/.exec(run)?.[2] ?? run;
  const name = bold
    .replace(/[.:!?…]+$/u, '')
    .replace(/^[[{(]+(?=[\w.]+\/?[\w.]*[\])}]$)|[\])}]+$/g, (sign) =>
      /[[{]/.test(bold) && /[\]}]$/.test(sign) ? sign : '',
    );
  if (/^https?:/i.test(name) || /^\d+\/\d+$/.test(name)) return undefined;
  const isFile = isPath(name) || /[*?[{].*\/|\/.*[*?[{]|^\*\.\w+$/.test(name) || PLAIN.test(name);
  return isFile ? name.replace(/:\d[\d:-]*$/, '') : undefined;
}
