import { signal } from '@preact/signals';

const [LAYOUT, VIEWED] = ['andon-diff-layout', 'andon-viewed'];

/** The newest files that this browser remembers as viewed. */
const MOST_VIEWED = 1000;

/** How this browser shows changes; the layout is remembered. */
export const isSideBySide = signal(localStorage.getItem(LAYOUT) !== 'unified');
export const ignoresSpaces = signal(false);

export function toggleLayout(): void {
  isSideBySide.value = !isSideBySide.value;
  localStorage.setItem(LAYOUT, isSideBySide.value ? 'side by side' : 'unified');
}

const viewed = signal<ReadonlySet<string>>(new Set(readViewed()));

function readViewed(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(VIEWED) ?? '[]') as readonly string[];
  } catch {
    return [];
  }
}

/** Whether a person has viewed a file of a change, which its name identifies with both commits. */
export const isViewed = (name: string): boolean => viewed.value.has(name);

export function markViewed(name: string, isMarked: boolean): void {
  const others = [...viewed.value].filter((one) => one !== name);
  viewed.value = new Set(isMarked ? [...others.slice(1 - MOST_VIEWED), name] : others);
  localStorage.setItem(VIEWED, JSON.stringify([...viewed.value]));
}
