import { expect, it } from 'vitest';
import { findEditPath, toFileText } from '../../../../src/app/web/read-waiting-file.ts';
import { rememberSecrets } from '../../../../src/base/known-secrets.ts';
import { toPlainTexts } from '../../../../src/base/plain-texts.ts';

it.each([
  ['plain text', '{\n\t"title": "für"\n}\n', true],
  ['line ends of Windows', '{\r\n"title": "x"\r\n}', true],
  ['mixed line ends', '{\r\n"title": "x"\n}', false],
  ['a hidden character', '{"title": "\u2764\ufe0f"}', false],
  ['a colour', '{"title": "\u001b[31mx"}', false],
  ['a secret', '{"title": "use kept-Secret-4711"}', false],
])('sends you to an editor where a page does not show the whole of a file with %s', (_, text, isWhole) => {
  rememberSecrets(['kept-Secret-4711']);
  expect(findEditPath({ inboxRoot: '/shop' }, 'PROPOSAL.md', text)).toBe(isWhole ? null : '/shop/_handoff/PROPOSAL.md');
  if (isWhole) expect(toFileText(toPlainTexts(text), text)).toBe(text);
});
