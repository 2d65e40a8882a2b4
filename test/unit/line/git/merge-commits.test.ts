import { describe, expect, it } from 'vitest';
import { tickItem } from '../../../../src/line/git/merge-commits.ts';

describe('TODO.md', () => {
  it.each([
    ['an unticked item', '- [ ] DOC-001 guide\n', '- [x] DOC-001 guide\n'],
    ['an item of another list style', '  * [ ] (DOC-001)\n', '  * [x] (DOC-001)\n'],
    ['an item in another case', '+ [ ] doc-001\n', '+ [x] doc-001\n'],
    ['the first item that names it', '- [ ] DOC-001\n- [ ] DOC-001\n', '- [x] DOC-001\n- [ ] DOC-001\n'],
    ['the next one when the first is ticked', '- [x] DOC-001\n- [ ] DOC-001\n', '- [x] DOC-001\n- [x] DOC-001\n'],
    ['an item with a box in its text', '- [ ] DOC-001: [ ] in a list\n', '- [x] DOC-001: [ ] in a list\n'],
    ['an item without a final newline', 'a\n- [ ] DOC-001', 'a\n- [x] DOC-001'],
  ])('%s is ticked', (_, before, after) => {
    expect(tickItem(before, 'DOC-001')).toBe(after);
  });

  it.each([
    ['no item names the task', '- [ ] DOC-002\n'],
    ['the item names a longer id', '- [ ] DOC-0011\n- [ ] DOC-001-b\n- [ ] XDOC-001\n'],
    ['it is ticked already', '- [x] DOC-001\n'],
    ['the name stands in prose', 'DOC-001 is next\n'],
    ['the file is empty', ''],
  ])('is left alone when %s', (_, before) => {
    expect(tickItem(before, 'DOC-001')).toBeUndefined();
  });

  it('keeps Windows line ends', () => {
    expect(tickItem('# Todo\r\n- [ ] DOC-001\r\n', 'DOC-001')).toBe('# Todo\r\n- [x] DOC-001\r\n');
  });
});
