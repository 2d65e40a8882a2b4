import { describe, expect, it } from 'vitest';
import { findImports } from '../../../src/source/find-imports.ts';

const modules = async (path: string, text: string): Promise<readonly string[] | undefined> =>
  (await findImports(path, text))?.imports.map(({ module }) => module);

describe('findImports', () => {
  it.each([
    ['a.ts', "import /* x */ a from /* y */ 'lodash';", ['lodash']],
    ['a.ts', "import type { A } from 'lodash';\nexport * from './b.ts';", ['lodash', './b.ts']],
    ['a.ts', "import lib = require('lodash');", ['lodash']],
    ['a.js', 'const x = require(`lodash`);', ['lodash']],
    ['a.js', "require('lo' + 'dash');", ['lodash']],
    ['a.js', "const load = require;\nconst again = load;\nagain('lodash');", ['lodash']],
    ['a.js', "(0, require)('lodash');\nmodule.require('b');\nrequire.resolve('c');", ['lodash', 'b', 'c']],
    ['a.mjs', "const load = createRequire(import.meta.url);\nload('lodash');", ['lodash']],
    ['a.js', "await import('lodash');", ['lodash']],
    ['a.js', "// require('a')\nconst b = \"import 'b'\";\nload('c');\nrequire(name);\nrequire(`x${y}`);", []],
    ['a.vue', "<template>import 'no'</template>\n<script lang=\"ts\">\nimport a from 'lodash';\n</script>", ['lodash']],
    ['a.py', 'import json, requests as r', ['json', 'requests']],
    ['a.py', 'from os import path as p, sep', ['os', 'os.path', 'os.sep']],
    ['a.py', 'from . import b', ['.', '.b']],
    ['a.py', "importlib.import_module('a')\n__import__('b')\nf('c')", ['a', 'b']],
    ['a.py', '"""\nimport a\n"""\n# import b', []],
    ['a.go', 'package a\n\nimport (\n\t"fmt"\n\terr "github.com/pkg/errors"\n)', ['fmt', 'github.com/pkg/errors']],
    ['a.java', 'import java.util.List;\nclass A {}', ['java.util.List']],
    ['a.cs', 'using System.IO;', ['System.IO']],
    ['a.c', '#include <stdio.h>\n#include "b.h"', ['stdio.h', 'b.h']],
    ['a.rb', "require 'json'\nputs 'no'", ['json']],
    ['a.java', 'import java.util.*;\nimport static a.B.c;', ['java.util.*', 'a.B.c']],
    ['a.py', 'from os import *', ['os', 'os.*']],
    ['a.rs', 'use libc::c_int;\nextern crate serde as s;\nmod own;', ['libc::c_int', 'serde']],
    ['a.rs', 'use a::{b, c::{d as e, self}, f::*};', ['a::b', 'a::c::d', 'a::c', 'a::f::*']],
    ['a.rs', '// use x;\npub use ::std::fs as f;', ['std::fs']],
    ['a.php', '<?php\nuse A\\B;', ['A\\B']],
    ['a.php', '<?php\nuse A\\{B, C as D};\nuse \\Q\\R as S;', ['A\\B', 'A\\C', 'Q\\R']],
    ['a.php', '<?php\nrequire_once "x.php";\ninclude \'y.php\';', ['x.php', 'y.php']],
    ['a.sh', 'source ./x.sh\n. "y.sh" 1\necho source z.sh', ['./x.sh', 'x.sh', 'y.sh']],
  ])('reads the imports of %s: %j', async (path, text, expected) => {
    expect(await modules(path, text)).toEqual(expected);
  });

  it.each([
    ['a.js', "require(root + '/x.js')", "root + '/x.js'"],
    ['a.sh', 'source "$HOME/x.sh"', '"$HOME/x.sh"'],
    ['a.php', '<?php require __DIR__ . "/x.php";', '__DIR__ . "/x.php"'],
  ])('gives the expression of a computed module of %s: %s', async (path, text, module) => {
    const found = await findImports(path, text);
    expect(found?.imports).toEqual([]);
    expect(found?.computed).toMatchObject([{ module }]);
  });

  it('is undefined without a grammar', async () => {
    expect(await findImports('a.zig', 'x')).toBeUndefined();
  });

  it('says that a fragment may hide an import', async () => {
    expect(await findImports('a.ts', "} from 'lodash';")).toMatchObject({ isPartial: true });
  });

  it('gives up on hostile text within seconds', async () => {
    expect(await findImports('a.js', '(((('.repeat(100_000))).toBeUndefined();
  });
});
