import { computed, signal } from '@preact/signals';
import { parseRoute } from './router.ts';

const here = (): string => location.pathname + location.search;

/** The current address, parsed. */
export const currentAddress = signal(here());
export const currentRoute = computed(() => parseRoute(currentAddress.value));

export function go(to: string): void {
  history.pushState(null, '', to);
  currentAddress.value = here();
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

export function followLinks(): void {
  addEventListener('popstate', () => (currentAddress.value = here()));
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest('a');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !link || !isPlain || link.target !== '' || link.origin !== location.origin) return;
    event.preventDefault();
    go(link.href);
  });
}

export const toTask = (repository: string, task: string): string =>
  `/task/${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
export const toHalt = (repository: string, task: string): string =>
  `/halt/${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
export const toCopyOf = (repository: string, task: string): string =>
  `/new?like=${encodeURIComponent(repository)}/${encodeURIComponent(task)}`;
