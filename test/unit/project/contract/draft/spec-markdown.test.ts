import { array, assert, property, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../../../src/project/contract/draft/spec-markdown.ts';

const PROPOSAL = `# Proposal: Merge login notes
**Target Project:** Docs-Hub
**Complexity:** major
## 3. Source Files
- \`docs/a.md\`
- \`docs/b.md\`
## 4. Target Output
- \`docs/c.md\`
## 5. Requirements
- [ ] Keep both tables
- [x] One H1
## 6. Acceptance Criteria
- [ ] Links resolve
## 7. Constraints
- **Allowed paths:** \`docs/\`, \`README.md\`
- **Forbidden paths:** \`.env\`
- **Deletions allowed:** No
- **Max diff size:** 150 lines
`;
const DRAFT = {
  title: 'Merge login notes',
  project: 'Docs-Hub',
  complexity: 'major',
  source_files: ['docs/a.md', 'docs/b.md'],
  target_file: 'docs/c.md',
  requirements: ['Keep both tables', 'One H1'],
  acceptance_criteria: ['Links resolve'],
  allowed_paths: ['docs/', 'README.md'],
  forbidden_paths: ['.env'],
  allow_deletes: false,
  max_diff_size: 150,
};

const draftIn = (text: string): unknown => {
  const read = readSpec(text);
  return read.ok ? read.value.draft : read.why;
};
const noticesIn = (text: string): readonly string[] => {
  const read = readSpec(text);
  return read.ok ? read.value.notices : read.why;
};

describe('a spec in Markdown', () => {
  it('is read heading by heading; a ticked box counts like any other', () => {
    expect(draftIn(PROPOSAL)).toEqual(DRAFT);
  });

  it('may have the line ends and the mark of Windows', () => {
    expect(draftIn(`\uFEFF${PROPOSAL.replaceAll('\n', '\r\n')}`)).toEqual(DRAFT);
  });

  it('never reads an empty section as the next one', () => {
    const text = PROPOSAL.replace('- [ ] Keep both tables\n- [x] One H1\n', '');
    expect(draftIn(text)).toEqual({ ...DRAFT, requirements: undefined });
  });

  it('reads a bold field wherever it begins a line: below a target, below a list, between two items', () => {
    const text =
      '# P\n## Target\nsrc/b.js\n**After:** none\n## Requirements\n- The file exports b\n**Complexity:** critical\n- It exports c\n\n**Max diff size:** 20 lines\n';
    expect(draftIn(text)).toEqual({
      title: 'P',
      target_file: 'src/b.js',
      after: [],
      requirements: ['The file exports b', 'It exports c'],
      complexity: 'critical',
      max_diff_size: 20,
    });
    expect(noticesIn(text)).toEqual([]);
    expect(noticesIn(`**Complexity:** minor\n${text}`)).toEqual(['complexity: given twice']);
  });

  it('leaves bold words in a section alone that are no field: in code, in an item, in notes, unknown ones', () => {
    const code = '```\n**Complexity:** critical\n```';
    const notes = '**Complexity:** of the parser, not of the task';
    const text = `## Requirements\n- It prints\n${code}\n- **Complexity:** stays linear\n- The page says so\n**Careful:** in UTC\n## Notes\n${notes}\n`;
    expect(draftIn(text)).toEqual({
      requirements: [`It prints\n${code}`, '**Complexity:** stays linear', 'The page says so **Careful:** in UTC'],
      notes,
    });
  });

  it('does not take an untouched template for a wish', () => {
    const text =
      '# Spec: [Title]\n## Requirements\n- [ ] [Requirement 1]\n- <what must hold>\n- ...\n<!-- - [ ] no -->\n';
    expect(draftIn(text)).toEqual({ title: '[Title]' });
  });

  it('joins the lines of an item and looks at no heading inside a fence', () => {
    const text =
      '# T\n## Requirements\n1. One thing\n   in two lines\n2. Another\n```sh\n## Forbidden paths\n- `src/`\n```\n';
    expect(draftIn(text)).toMatchObject({
      requirements: [expect.stringContaining('One thing in two lines'), expect.stringContaining('Another')],
    });
    expect(draftIn(text)).not.toHaveProperty('forbidden_paths');
  });

  it('takes gates as name and command', () => {
    const text = '## Gates\n- test=npm test\n- lint: `npm run lint`\n- `make check all`\n';
    expect(draftIn(text)).toEqual({
      gates: [
        { name: 'test', run: 'npm test' },
        { name: 'lint', run: 'npm run lint' },
        { name: 'make check all', run: 'make check all' },
      ],
    });
  });

  it('names what it does not read, and what nobody could check', () => {
    const notices = noticesIn('# T\n## History\nLong ago\n## Requirements\n- Make it better\n## Notes\nCare\n');
    expect(notices.join('\n')).toMatch(
      /"History" is not read; known headings are Requirements, Acceptance criteria, [\s\S]*"Make it better" is vague/,
    );
  });

  it('takes a target that is a line of text, and says which known section is empty', () => {
    expect(draftIn('# T\n## Target file\n\n`docs/c.md`\n')).toMatchObject({ target_file: 'docs/c.md' });
    expect(draftIn('# T\n## Target\ndocs/c.md\n')).toMatchObject({ target_file: 'docs/c.md' });
    expect(noticesIn('# T\n## Target\nSome file,\nsomewhere\n## Gates\n').join('\n')).toMatch(
      /"Target" is empty: its text is no list[^\n]*\n[^\n]*"Gates" is empty$/,
    );
  });

  it('strips the quotes around a path', () => {
    expect(
      draftIn('# T\n## Forbidden paths\n- "src/b.ts"\n- \'src/c.ts\'\n- `my docs/d.md`\n- `a b/` (old)\n'),
    ).toEqual({
      title: 'T',
      forbidden_paths: ['src/b.ts', 'src/c.ts', 'my docs/d.md', 'a b/'],
    });
  });

  it.each([
    ['## Constraints\n- **Alowed paths:** `src/`\n', 'Alowed paths'],
    ['## Target\n- a.md\n- b.md\n', 'expected only one path'],
    ['## Constraints\n- **Max diff size:** many\n', 'expected a number'],
    ['## Forbidden paths\n- src/b.ts (the old one)\n', 'found "src/b.ts (the old one)"; expected the path alone'],
    ['## Forbidden paths\n- `src/b.ts`, src/c.ts\n', 'found "src/c.ts"; expected all paths in backticks, or none'],
    ['## Constraints\n- **Allowed paths:** src/ - all of it\n', 'found "src/ - all of it"'],
    ['**Complexity:** huge\n', 'expected one of trivial'],
    ['## Requirements\n- a b\n## Requirements\n- c d\n', 'given twice'],
  ])('refuses %j rather than guess', (text, about) => {
    expect(readSpec(text).ok).toBe(false);
    expect(String(draftIn(text))).toContain(about);
  });
});

describe('a spec in YAML or JSON', () => {
  it.each([
    ['YAML', 'id: A-1\nrequirements: [a b]\n'],
    ['YAML with a comment', '# a comment\nrequirements:\n  - a b\n'],
    ['JSON', '{"requirements": ["a b"]}'],
    ['front matter', '---\nforbidden_paths: [src/]\n---\n# T\n## Requirements\n- a b\n'],
  ])('is refused rather than read in part: %s', (_, text) => {
    expect(String(draftIn(text))).toContain('write Markdown with headings');
  });

  it('is refused as a contract where it is one', () => {
    expect(String(draftIn('{"schema_version": "1.0"}'))).toContain('contract already');
  });
});

describe('a requirement in Markdown', () => {
  const requirementsOf = (list: string): unknown =>
    Object(draftIn(`# Dates\n\n## Requirements\n\n${list}\n\n## Allowed paths\n\n- src/\n`)).requirements as unknown;

  it.each([
    'Keep `__init__.py` and src/**/*.ts as they are',
    'The **old** name _stays_',
    'Prints exactly\n\n```text\n2026-01-31T07:00:00Z\n```',
    'Cases of rounding:\n\n| in | out |\n|----|-----|\n| 0.5 | 0 |\n\nHalf a second is rounded down.',
    'Two parts:\n- the first, with a [link](x)\n  - deeper\n- the second',
    'As the standard says\n\n> a quote\n> of two lines',
  ])('is kept word for word: %j', (text) => {
    const list = [text, 'Another one'].map((one) => `- ${one.replaceAll('\n', '\n  ').replaceAll('\n  \n', '\n\n')}`);
    expect(requirementsOf(list.join('\n'))).toEqual([text, 'Another one']);
    expect(requirementsOf(list.join('\n\n'))).toEqual([text, 'Another one']);
  });

  it('may stand below a heading of its own', () => {
    const parts =
      '### Backend\n\n- The first of them\n\n#### Details\n\n- The second one\n\n### Frontend\n\n- The third one';
    expect(requirementsOf(parts)).toEqual(['The first of them', 'The second one', 'The third one']);
  });

  it('comes out as it went in, whatever it says', () => {
    const word = stringMatching(/^[A-Za-z_*`./-]{1,12}$/);
    const paragraph = array(word, { minLength: 1, maxLength: 6 }).map((words) => `The ${words.join(' ')} end`);
    assert(
      property(array(array(paragraph, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }), (all) => {
        const list = all.map((paragraphs) => `1. ${paragraphs.join('\n\n   ')}`).join('\n');
        expect(requirementsOf(list)).toEqual(all.map((paragraphs) => paragraphs.join('\n\n')));
      }),
    );
  });

  it.each([
    '```yaml\nallow_deletes: true\nmax_diff_size: 5000\n```',
    '    allow_deletes: true\n    complexity: critical',
  ])('and what a spec shows as code sets no field: %j', (code) => {
    const spec = `# Dates\n\n## Requirements\n\n- x\n\n## Allowed paths\n\n- src/\n\n## Background\n\nSo it was:\n\n${code}\n`;
    expect(draftIn(spec)).toMatchObject({ requirements: ['x'] });
    expect(Object.keys(Object(draftIn(spec)) as object)).not.toContain('allowDeletes');
    expect(draftIn(`${spec}\n${code}\n`)).toEqual(draftIn(spec));
  });
});
