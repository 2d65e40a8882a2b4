import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { rankNames, rankNeighbours } from '../../../../src/line/stations/rank-neighbours.ts';
import { listSignatures } from '../../../../src/line/stations/implementer-files.ts';
import { expectEffortBelow } from '../../../support/effort.ts';

describe('signatures', () => {
  it.each([
    [
      'a.ts',
      `import { x } from '../../stations-briefs/x.ts';
// export function old() {}
/** Dates. */
export class Dates extends Base<string> {
  private readonly zone: string;
  constructor(zone: string) {
    if (zone === '') {
      throw new Error('no zone');
    }
    this.zone = zone;
  }
  async format(
    date: Date,
    style: 'long' | 'short',
  ): Promise<string> {
    return style;
  }
  get name(): string {
    for (const a of b) call(a);
    return '';
  }
  with(zone: string): Dates {
    lock (zone) {
    }
  }
}
export const parse = (text: string): Date => new Date(text);
type Zone = string;
function inner<T>(a: T) {
  const local = (b: number) => b;
}
`,
      [
        'export class Dates extends Base<string>',
        '  constructor(zone: string)',
        "  async format(date: Date, style: 'long' | 'short'): Promise<string>",
        '  get name(): string',
        '  with(zone: string): Dates',
        'export const parse = (text: string): Date => new Date(text);',
        'type Zone = string;',
        'function inner<T>(a: T)',
      ],
    ],
    [
      'a.py',
      `# def not_this():
LIMIT = 5
class Dates(Base):
    def __init__(self, zone):
        self.zone = zone
    async def parse(self, text: str,
                    strict: bool = False) -> Date:
        if text: return None
@cache
def helper(): pass
`,
      [
        'LIMIT = 5',
        'class Dates(Base)',
        '    def __init__(self, zone)',
        '    async def parse(self, text: str, strict: bool = False) -> Date',
        'def helper(): pass',
      ],
    ],
    [
      'a.go',
      'package a\n\ntype Reader interface {\n\tRead(p []byte) (n int, err error)\n}\n\nfunc (d *Dates) Parse(text string) (Date, error) {\n\tx := Call(a)\n\tif x {\n\t}\n}\n',
      [
        'type Reader interface',
        '  Read(p []byte) (n int, err error)',
        'func (d *Dates) Parse(text string) (Date, error)',
      ],
    ],
    [
      'a.rs',
      'use a::b;\npub struct Dates {\n    zone: String,\n}\nimpl Dates {\n    pub(crate) async fn parse(&self) -> Date {\n        let a = 1;\n    }\n}\npub const MAX: usize = 3;\n',
      ['pub struct Dates', 'impl Dates', '    pub(crate) async fn parse(&self) -> Date', 'pub const MAX: usize = 3;'],
    ],
    [
      'A.java',
      'package a;\npublic final class Dates {\n    private String zone;\n    public Dates(String zone) {\n        this.zone = zone;\n    }\n    static List<String> parse(String text) throws Oops {\n        return call(text);\n    }\n}\n',
      [
        'public final class Dates',
        '    public Dates(String zone)',
        '    static List<String> parse(String text) throws Oops',
      ],
    ],
    [
      'a.c',
      '#include <stdio.h>\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\ntypedef struct date {\n  int day;\n} date;\nstatic int parse(const char *text,\n                 int strict)\n{\n  return call(text);\n}\n',
      [
        '#define MAX(a, b) ((a) > (b) ? (a) : (b))',
        'typedef struct date',
        'static int parse(const char *text, int strict)',
      ],
    ],
    ['a.md', '# Title\n\ntext\n\n## Part\n', ['# Title', '## Part']],
    ['a.rb', 'class A\n  def parse(text)\n  end\nend\n', ['class A', '  def parse(text)']],
    ['a.unknown', 'function a() {\nx = 1\nclass B\n', ['function a()', 'class B']],
  ])('of %s are what others can use, methods too', (path, text, expected) => {
    expect(listSignatures(path, text)).toEqual(expected);
  });

  it('are few and short, and are found in any text in no time', () => {
    expectEffortBelow(100, () => {
      expect(listSignatures('a.ts', 'export function f() {}\n'.repeat(100_000))).toHaveLength(24);
      for (const hostile of [
        'a'.repeat(2_000_000),
        `export ${'('.repeat(100_000)}`,
        `${' a'.repeat(500_000)}(`,
        '<'.repeat(400).repeat(999),
        `C${'*'.repeat(399)}`,
        `a${' '.repeat(398)}=`,
        `a${'&'.repeat(398)}=`,
        `Some title ${'*'.repeat(380)} x`,
      ])
        for (const ending of ['ts', 'java', 'cpp', 'rs', 'x']) listSignatures(`a.${ending}`, `${hostile}\n`.repeat(3));
    });
    fc.assert(
      fc.property(
        fc.constantFrom('a.ts', 'a.py', 'a.c', 'a.md', 'a'),
        fc.string({ unit: 'grapheme', maxLength: 2000 }),
        (path, text) => {
          for (const line of listSignatures(path, text)) expect(line.length).toBeLessThanOrEqual(180);
        },
      ),
    );
  });
});

describe('neighbours', () => {
  const target = { path: 'src/dates/parse.ts', text: "import { zone } from '../../zones/zone-table.ts';\n" };
  const ranked = rankNeighbours(
    [
      { path: 'docs/other.md', text: 'nothing' },
      { path: 'src/dates/format.ts', text: 'nothing' },
      { path: 'src/zones/zone-table.ts', text: 'nothing' },
      { path: 'test/dates.test.ts', text: "import { parse } from '../../src/dates/parse.ts';" },
      { path: 'src/zones/cities.ts', text: 'nothing' },
    ],
    [target],
  );

  it('are those that the target uses, those that use it, its folder, and then the rest', () => {
    expect(ranked).toEqual([
      { path: 'src/zones/zone-table.ts', tie: 'used by the files in question' },
      { path: 'test/dates.test.ts', tie: 'uses the files in question' },
      { path: 'src/dates/format.ts', tie: 'same folder' },
      { path: 'src/zones/cities.ts', tie: 'elsewhere' },
      { path: 'docs/other.md', tie: 'elsewhere' },
    ]);
  });

  it('are found by their names alone in the same order, one after the other', () => {
    const paths = ['docs/far.md', 'src/dates/format.ts', 'src/zones/cities.ts', 'a/calendar.ts'];
    const known = [{ path: 'src/dates/parse.ts' }];
    const ranked = rankNeighbours(
      paths.map((path) => ({ path })),
      known,
      'The calendar is right',
    );
    expect([...rankNames(paths, known, 'The calendar is right')]).toEqual(ranked.map(({ path }) => path));
    expect(rankNames(paths, known, 'The calendar is right').next().value).toBe('a/calendar.ts');
  });

  it('are found in any text in no time, and are those that the task names', () => {
    expectEffortBelow(100, () => {
      const hostile = ['a'.repeat(500_000), 'import '.repeat(50_000), 'import a\n'.repeat(50_000)];
      rankNeighbours(
        hostile.map((text, at) => ({ path: `src/${at}.ts`, text })),
        [target],
      );
    });
    const named = rankNeighbours(
      [{ path: 'a/first.ts' }, { path: 'z/calendar.ts' }],
      [target],
      'The calendar is right',
    );
    expect(named[0]).toEqual({ path: 'z/calendar.ts', tie: 'used by the files in question' });
  });

  it('speak for their folder when their own name says nothing', () => {
    const others = [{ path: 'lib/zones/index.ts' }, { path: 'lib/zones/other.ts' }];
    expect(rankNeighbours(others, [{ path: 'src/a.ts', text: "from '../../lib/zones'" }])[0]?.path).toBe(
      'lib/zones/index.ts',
    );
  });
});
