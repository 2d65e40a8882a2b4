import { describe, expect, it } from 'vitest';
import { listFolders } from '../../../../../src/base/list-folders.ts';
import {
  type CurrentFile,
  type AnswerContext,
  applyEdits,
} from '../../../../../src/line/stations/answer-formats/apply-answer.ts';
import type { EditedFile } from '../../../../../src/base/changed-file.ts';
import * as fc from '../../../../support/properties.ts';
import { spelledLike } from '../../../../support/spelled-like.ts';

const file = (text: string, mode: CurrentFile['mode'] = '100644'): CurrentFile => ({
  bytes: new TextEncoder().encode(text),
  mode,
});
const left = (path: string, content: string, executable = false): EditedFile => ({ path, content, executable });

/** A project in which `src/` may be changed. */
function aWorld(
  files: Readonly<Record<string, CurrentFile>> = {},
  changes: Partial<AnswerContext> = {},
): AnswerContext {
  return {
    current: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    paths: new Set(Object.keys(files)),
    folders: listFolders(Object.keys(files)),
    spelledLike: spelledLike(Object.keys(files)),
    scope: { allowedPaths: ['src/'], forbiddenPaths: ['src/secret/'] },
    allowDeletes: false,
    example: 'example/greeting.txt',
    ...changes,
  };
}

const refusals = (services: AnswerContext, ...files: EditedFile[]): readonly string[] => {
  const result = applyEdits(files, services);
  return result.ok ? [] : result.why.map(({ kind, path, detail }) => `${kind} ${path}: ${detail}`);
};

describe('what an agent that works on the files itself has left', () => {
  it('is written byte for byte, with or without a last newline', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z \n]{0,60}$/), (text) => {
        const result = applyEdits([left('src/a.txt', text)], aWorld({ 'src/a.txt': file('before\n') }));
        expect(result.ok && result.value[0]?.content).toEqual(new TextEncoder().encode(text));
      }),
    );
  });

  it('keeps the line ends of git where a checkout gave every line a Windows end', () => {
    const result = applyEdits([left('src/a.txt', 'one\r\ntwo\r\n')], aWorld({ 'src/a.txt': file('one\n') }));
    expect(result.ok && result.value[0]?.content).toEqual(new TextEncoder().encode('one\ntwo\n'));
  });

  it('keeps Windows ends where the file has them', () => {
    const result = applyEdits([left('src/a.txt', 'one\r\ntwo\r\n')], aWorld({ 'src/a.txt': file('one\r\n') }));
    expect(result.ok && result.value[0]?.content).toEqual(new TextEncoder().encode('one\r\ntwo\r\n'));
  });

  it('may be a new program, and leaves the right to run of an old file alone', () => {
    const world = aWorld({ 'src/run.sh': file('echo\n', '100755'), 'src/a.txt': file('a\n') });
    const result = applyEdits([left('src/new.sh', '#!/bin/sh\n', true), left('src/run.sh', 'echo 1\n', true)], world);
    expect(result.ok && result.value.map((one) => ('mode' in one ? one.mode : ''))).toEqual(['100755', '100755']);
    expect(refusals(world, left('src/a.txt', 'b\n', true)).join()).toContain('The right to run');
  });

  it('is refused whole for what the copy cannot hold, and for what no answer may write', () => {
    const link: EditedFile = { path: 'src/link', unfit: 'It is a symbolic link; write a plain file.' };
    const found = refusals(aWorld(), left('src/fine.txt', 'fine\n'), link, left('README.md', 'x\n')).join();
    expect(found).toContain('symbolic link');
    expect(found).toContain('scope README.md');
  });

  it('deletes only where the contract allows it', () => {
    const files = { 'src/a.txt': file('a\n') };
    const gone: EditedFile = { path: 'src/a.txt', content: null };
    expect(refusals(aWorld(files), gone).join()).toContain('allows no deletions');
    expect(applyEdits([gone], aWorld(files, { allowDeletes: true }))).toEqual({
      ok: true,
      value: [{ path: 'src/a.txt', content: null }],
    });
  });
});
