import type { Inspection } from '../model/inspection.ts';
import { toSafeJson } from '../../base/plain-text.ts';

/** For programs: everything that was found out but the matched texts, which may be secrets. */
export function reportJson({ trace, ...rest }: Inspection): string {
  const report = { schema: 'andon.inspection/v1', ...rest, ...(trace.length === 0 ? {} : { trace }) };
  return `${toSafeJson(report, 2, 'matched')}\n`;
}
