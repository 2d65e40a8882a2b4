import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The renderer of a task's report as one page; loaded only when a page is made. */
export async function loadReportPage() {
  compileComponents();
  return import('../views/task-report-page.tsx');
}

export async function loadDigestPage() {
  compileComponents();
  return import('../views/digest-page.tsx');
}

let isReady = false;

/** In a clone Node.js runs the sources; it strips types, but does not know JSX. */
function compileComponents(): void {
  if (isReady || !import.meta.url.endsWith('.ts')) return;
  isReady = true;
  registerHooks({
    load(url, context, next) {
      if (!url.endsWith('.tsx')) return next(url, context);
      const file = fileURLToPath(url);
      const rolldown = createRequire(import.meta.url)(
        'rolldown/experimental',
      ) as typeof import('rolldown/experimental');
      const { code } = rolldown.transformSync(file, readFileSync(file, 'utf8'), {
        lang: 'tsx',
        jsx: { runtime: 'automatic', importSource: 'preact' },
      });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });
}
