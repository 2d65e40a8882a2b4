import { writeInUse } from '../../wiring/configuration-in-use.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import type { Needs } from '../../wiring/services.ts';

/** Reports every difference between the disk and the configuration in force once, and writes it down for `andon status`. */
export function reportConfiguration(
  place: Pick<Workspace, 'state'>,
  { configuration, say }: Needs<'configuration' | 'say'>,
): () => void {
  let reported: readonly string[] = [];
  let written: string | undefined;
  return () => {
    const gaps = configuration.gaps();
    for (const text of gaps) if (!reported.includes(text)) say({ kind: 'word', level: 'warn', text });
    if (gaps.length === 0 && reported.length > 0)
      say({ kind: 'word', level: 'info', text: 'the configuration on disk is the one in force again' });
    reported = gaps;
    const inUse = { trial: configuration.isTrial, gaps };
    const text = JSON.stringify(inUse);
    if (text === written) return;
    written = text;
    writeInUse(place, inUse);
  };
}
