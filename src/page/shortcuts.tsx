import { useEffect, useRef, useState } from 'preact/hooks';
import { PAGE_KEYS } from '../line/board/keys.ts';
import { currentRoute, go } from './current-route.ts';

/** The pages that `g` and a letter open. */
const PLACES: Readonly<Record<string, string | undefined>> = { i: '/', t: '/tasks', q: '/queue' };

/** The keys of the board, and the table of them that `?` shows. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const before = useRef('');
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target } = event;
      const isTyped =
        target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
      if (isTyped && key === 'Escape' && target instanceof HTMLElement) target.blur();
      if (isTyped || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null)
        return;
      const isAfterG = before.current === 'g';
      before.current = key;
      const to = isAfterG ? PLACES[key] : undefined;
      if (to !== undefined) go(to);
      else if (!obey(key)) {
        if (key === '?') setOpen(true);
        else return;
      }
      event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  if (!isOpen) return null;
  return (
    <dialog ref={dialog} aria-labelledby="keys" onClose={() => setOpen(false)}>
      <h2 id="keys">Keys</h2>
      <dl class="keys">
        {PAGE_KEYS.map(({ keys, does }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}

/** Carries out a key; false where it means nothing here. */
function obey(key: string): boolean {
  switch (key) {
    case 'j':
      return moveFocus(1);
    case 'k':
      return moveFocus(-1);
    case '1':
    case '2':
      return press(`#path-${key}`);
    case 'c':
      return focus('#whole-comment');
    case 'd':
      return focus('.file > header button');
    case 'n':
      go('/new');
      return true;
    case '/':
      if (currentRoute.value.kind !== 'tasks') go('/tasks');
      requestAnimationFrame(() => document.getElementById('search')?.focus());
      return true;
    case 'Escape':
      if (press('.answer .actions button')) return true;
      if (currentRoute.value.kind === '' && currentRoute.value.asked.size === 0) return moveFocus(0);
      go('/');
      return true;
    default:
      return false;
  }
}

function moveFocus(by: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('.list .row:not(.night) > a')].filter((row) =>
    row.checkVisibility(),
  );
  const own = rows.indexOf(document.activeElement as HTMLElement);
  const at = own === -1 ? rows.findIndex((row) => row.hasAttribute('aria-current')) : own;
  const row = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
  return row !== undefined;
}

function focus(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.scrollIntoView({ block: 'center' });
  found?.focus({ preventScroll: true });
  return found !== null;
}

function press(selector: string): boolean {
  const button = document.querySelector<HTMLElement>(selector);
  button?.click();
  return button !== null;
}
