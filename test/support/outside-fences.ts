import { expect } from 'vitest';

/** What is outside every fence: the only place where markup could be live; fails where a fence is left open. */
export function outsideFences(markdown: string): string {
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const marks = /^(`{3,})/.exec(line)?.[1];
    if (fence === undefined && marks !== undefined) fence = marks;
    else if (fence !== undefined && line === fence) fence = undefined;
    else if (fence === undefined) kept.push(line);
  }
  expect(fence).toBeUndefined();
  return kept.join('\n');
}
