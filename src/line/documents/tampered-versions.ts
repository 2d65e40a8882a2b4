import type { LineRecord } from '../../record/line-record.ts';
import { FILES } from '../../base/names.ts';
import type { Halt } from '../../record/trip.ts';

/** Both versions of an edited file, and their names below `_handoff/`. */
export function listTamperedVersions(
  { taskId, lastFacts }: LineRecord,
  { id, trip }: Halt,
): readonly { readonly name: string; readonly text: string }[] {
  const { tampered } = lastFacts;
  if (tampered === undefined || trip.breaker !== 'contract_tampered') return [];
  const { edited, ours, file = FILES.contract } = tampered;
  const named = (whose: string): string => `${FILES.archive}/${taskId}/${id}.${whose}.${file}`;
  return [
    { name: named('edited'), text: edited },
    ...(ours === undefined ? [] : [{ name: named('andon'), text: ours }]),
  ];
}
