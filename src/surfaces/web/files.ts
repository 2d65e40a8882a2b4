import type { Context } from 'hono';
import { builtPage } from '../../wiring/own-files.ts';
import { Problem, createUsageError } from '../../base/problem.ts';

const TYPES: Readonly<Record<string, string | undefined>> = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'manifest.webmanifest': 'application/manifest+json',
};

const known = new Map<string, Uint8Array<ArrayBuffer>>();

/** One of the files that the page is made of, as it was built. */
export function readPageFile(context: Context, name: string): Response {
  const type = TYPES[name];
  if (type === undefined) throw createUsageError('there is no such file', 'go to /');
  const bytes = known.get(name) ?? builtPage(name, import.meta.url);
  if (bytes === undefined)
    throw new Problem(
      'bad-configuration',
      'the page of the board was not built',
      'npm run build, in the clone of andon',
      1,
    );
  known.set(name, bytes);
  return context.body(bytes, 200, { 'content-type': type });
}
