/** The form in which two spellings of a path are equal on systems that ignore case and trailing dots. */
export function foldPath(path: string): string {
  if (ORDINARY.test(path)) return path.toLowerCase();
  const folded = path.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
  return folded.split('/').map(stripPathTail).join('/');
}

/** The folded path, and other readings of it by careless readers or file systems. */
export function listPathSpellings(path: string): readonly string[] {
  const folded = foldPath(path);
  if (ORDINARY.test(path)) return [folded];
  const unmasked = foldPath(path.normalize('NFKC').replace(IGNORABLE, '').replaceAll('\\', '/'));
  const latin = Array.from(unmasked, (letter) => LATIN.get(letter) ?? letter).join('');
  const plain = resolved(latin.split('/').map((segment) => stripPathTail(segment.split(':')[0] ?? '')));
  return folded === plain ? [folded] : [folded, plain];
}

function resolved(segments: readonly string[]): string {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return kept.join('/');
}

/** Removes trailing dots and blanks, as Windows does; a segment of nothing else stays. */
export function stripPathTail(segment: string): string {
  let end = segment.length;
  while (end > 0 && (segment[end - 1] === '.' || segment[end - 1] === ' ')) end -= 1;
  return end === 0 ? segment : segment.slice(0, end);
}

/** Plain letters, digits and signs, no segment that is empty or ends with a dot: such a path has one spelling. */
const ORDINARY = /^(?:[\w@+~.-]*[\w@+~-]\/)*[\w@+~.-]*[\w@+~-]$/;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;
/** Letters of other scripts that look like Latin ones, so that `.еnv` counts as `.env`. */
const LATIN = new Map(
  Array.from('аеорсухіјѕԁһӏԛԝѵпгкмтαονρικυτηγχ', (like, at) => [like, 'aeopcyxijsdhlqwvnrkmtaovpikutnyx'.charAt(at)]),
);
