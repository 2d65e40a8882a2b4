import type { FoundSecret } from './found-secret.ts';
import { isPlaceholderValue } from './placeholders.ts';

/** The values of a Kubernetes `Secret` that is written down with them. */
export function findKubernetesSecrets(text: string, lower: string): readonly FoundSecret[] {
  if (!lower.includes('secret') || !/^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?secret["']?\b/im.test(text)) return [];
  const found: FoundSecret[] = [];
  let offset = 0;
  for (const document of text.split(/^---.*$/m)) {
    const at = text.indexOf(document, offset);
    offset = at + document.length;
    if (/^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?secret["']?\b/im.test(document)) found.push(...valuesIn(document, at));
  }
  return found;
}

function valuesIn(document: string, offset: number): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  let block: { readonly indent: number; readonly isPlain: boolean } | undefined;
  let at = offset;
  for (const line of document.split('\n')) {
    const indent = line.search(/\S/);
    if (indent !== -1) {
      const head = /^\s*["']?(data|stringData)["']?\s*:/.exec(line);
      if (head !== null) block = { indent, isPlain: head[1] === 'stringData' };
      else if (block !== undefined && indent <= block.indent) block = undefined;
      else if (block !== undefined) {
        const value = /^\s*["']?[\w.-]+["']?\s*:\s*["']?([^\s"']{3,})["']?,?\s*$/.exec(line)?.[1];
        const isSecret =
          value !== undefined &&
          !isPlaceholderValue(value) &&
          (block.isPlain || /^[A-Za-z0-9+/]{10,}={0,3}$/.test(value));
        if (isSecret)
          found.push({
            start: at + line.lastIndexOf(value),
            end: at + line.lastIndexOf(value) + value.length,
            what: 'a value of a Kubernetes secret',
          });
      }
    }
    at += line.length + 1;
  }
  return found;
}
