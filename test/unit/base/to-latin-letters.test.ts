import { expect, test } from 'vitest';
import { toLatinLetters } from '../../../src/base/to-latin-letters.ts';

test.each([
  ['Ändere die Währung', 'Andere die Wahrung'],
  ['Café crème für Größe', 'Cafe creme fur Grosse'],
  ['Łódź, Ærø, cœur, Þór', 'Lodz, AEro, coeur, THor'],
  ['ﬁn Ａ١', 'fin A١'],
  ['환율 Fix', '환율 Fix'.normalize('NFKD')],
])('the Latin letters of %j lose their marks only', (text, plain) => {
  expect(toLatinLetters(text)).toBe(plain);
});
