/** A number in digits within a pattern; blanks join digits only as thousands (`1 250,00`). */
export const DIGITS = String.raw`\d+(?:[.,'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*`;

const LONGEST = 40;

/**
 * The value of `1,250.50`, `1.250,50`, `1 250`; undefined where it is no number. Of two kinds of separators the last is the
 * point; a comma before three digits parts thousands. A lone full stop before three digits is read as `stop` says.
 */
export function numberFromDigits(written: string, stop: 'point' | 'unsure' = 'point'): number | undefined {
  if (written.length > LONGEST) return undefined;
  const bare = written.replace(/[ '’\u00a0\u202f]/g, '');
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$|^\d{1,3}\.\d{3},\d+$/.test(bare))
    return plain(bare.replaceAll('.', '').replace(',', '.'));
  if (/^\d+(?:,\d{2,3})+(?:\.\d+)?$/.test(bare) && /,\d{3}(?:\.|$)/.test(bare)) return plain(bare.replaceAll(',', ''));
  if (/^\d+,\d+$/.test(bare)) return plain(bare.replace(',', '.'));
  if (stop === 'unsure' && /^[1-9]\d{0,2}\.\d{3}$/.test(bare)) return undefined;
  return plain(bare);
}

const plain = (text: string): number | undefined => {
  const value = /^\d+(?:\.\d+)?$|^\.\d+$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
};

/** Whether more of a number or a range (`$50-75`, `3 million`) touches what was read. */
export const isPartOfMore = (before: string, after: string): boolean =>
  /\d\s?[-\u2010-\u2015]\s?$|\d\s(?:to|or|and|bis|oder|und|a|à)\s$|[\d.,]$|[십백천만억조百千万萬亿億]\s?$/u.test(
    before,
  ) ||
  /^(?:[.,'’]?\d|\s?[-\u2010-\u2015~]\s?\d|\s(?:to|or|bis|oder|a|à)\s\d|\s?(?:hundred|thousand|million|billion|tausend|tsd|mio|mrd|mn|mil|lakh|crore|bn|[kmb])(?!\p{L})|\s?[십백천만억조百千万萬亿億])/iu.test(
    after,
  );
