import { toTerminalLine } from '../../base/plain-text.ts';
import { fitToWidth } from '../../base/text-width.ts';

/** Progress goes to the error stream, also behind a pipe; a terminal shows one line with the time that has passed. */
export function createProgress() {
  const { stderr } = process;
  let timer: NodeJS.Timeout | undefined;
  const write = (text: string): void => {
    const width = stderr.columns > 0 ? stderr.columns - 1 : 200;
    stderr.write(stderr.isTTY ? `\r\u001b[K${fitToWidth(text, width)}` : `${fitToWidth(text, width)}\n`);
  };
  const clear = (): void => {
    if (timer !== undefined) stderr.write('\r\u001b[K');
    clearInterval(timer);
    timer = undefined;
  };
  return {
    clear,
    show(activity: string): void {
      clear();
      const text = `… ${toTerminalLine(activity, 200)}`;
      write(text);
      if (!stderr.isTTY) return;
      const began = performance.now();
      timer = setInterval(() => write(`${text} (${Math.round((performance.now() - began) / 1000)} s)`), 1000).unref();
    },
  };
}
