/** What a lone separator before three digits means: of `1.250` thousands in euros, a fraction in dollars. */
export type LoneThousands = 'comma' | 'both';

/** The longest number in digits that is read. */
const LONGEST = 40;

/**
 * A number in digits as people write it: `1,250.50`, `1.250,50`, `1 250,50`, `1'250.50`, `1,25,000`, `.5`; undefined
 * where it is none. Where both separators occur the last one is the point; one that occurs twice, or once before
 * exactly three digits, parts thousands, a full stop only where `lone` says so.
 */
export function numberFromDigits(written: string, lone: LoneThousands): number | undefined {
  if (written.length > LONGEST) return undefined;
  const bare = written.replace(/[ '’\u00a0\u202f\u2009]/g, '');
  const point = pointOf(bare, lone);
  const whole = (point === undefined ? bare : bare.slice(0, point)).replace(/[.,]/g, '');
  const fraction = point === undefined ? '' : bare.slice(point + 1);
  if (!/^\d*$/.test(whole) || !/^\d*$/.test(fraction)) return undefined;
  const value = Number(`${whole === '' ? '0' : whole}.${fraction === '' ? '0' : fraction}`);
  return Number.isFinite(value) ? value : undefined;
}

/** Where the point of a number stands; undefined where it has none. */
function pointOf(bare: string, lone: LoneThousands): number | undefined {
  const [comma, stop] = [bare.lastIndexOf(','), bare.lastIndexOf('.')];
  if (comma === -1 && stop === -1) return undefined;
  if (comma !== -1 && stop !== -1) return Math.max(comma, stop);
  const at = Math.max(comma, stop);
  const sign = bare.charAt(at);
  if (bare.indexOf(sign) !== at) return undefined;
  const partsThousands = bare.length - at - 1 === 3 && /^[1-9]\d{0,2}$/.test(bare.slice(0, at));
  return partsThousands && (sign === ',' || lone === 'both') ? undefined : at;
}
