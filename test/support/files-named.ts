import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files and folders below a folder whose own name is the one, or matches. */
export function filesNamed(folder: string, name: string | RegExp): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const isIt = typeof name === 'string' ? entry.name === name : name.test(entry.name);
    return isIt ? [path] : entry.isDirectory() ? filesNamed(path, name) : [];
  });
}
