import { describe, expect, it } from 'vitest';
import { changedLines } from '../../../src/base/changed-lines.ts';

const PATCH = `diff --git a/docs/a.md b/docs/a.md
--- a/docs/a.md
+++ b/docs/a.md
@@ -1,3 +1,4 @@
 one
-two
+deux
++++ not a header
 three
@@ -10 +11,2 @@ section
+ten
 eleven
diff --git a/b.txt b/b.txt
new file mode 100644
--- /dev/null
+++ b/b.txt
@@ -0,0 +1 @@
+only
\\ No newline at end of file
`;

describe('the changed lines of a diff', () => {
  it('are counted in the new version, file by file', () => {
    expect([...changedLines(PATCH)].map(([path, lines]) => [path, [...lines]])).toEqual([
      ['docs/a.md', [2, 3, 11]],
      ['b.txt', [1]],
    ]);
  });

  it('are none where there is no diff', () => {
    expect(changedLines('').size).toBe(0);
  });
});
