/** Ticks the first unticked item that names the task; undefined when there is no such item. */
export function tick(todo: string, taskId: string): string | undefined {
  const names = new RegExp(`(?<![A-Za-z0-9_-])${taskId}(?![A-Za-z0-9_-])`, 'i');
  const lines = todo.split('\n');
  const at = lines.findIndex((line) => /^\s*[-*+] \[ \] /.test(line) && names.test(line));
  const line = lines[at];
  if (line === undefined) return undefined;
  lines[at] = line.replace('[ ]', '[x]');
  return lines.join('\n');
}
