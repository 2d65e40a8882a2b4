import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliverPage } from '../../../../src/app/cli/page-file.ts';

const { isTTY } = process.stdout;

afterEach(() => {
  process.stdout.isTTY = isTTY;
  vi.restoreAllMocks();
});

describe('a page without a file', () => {
  it('is refused on a terminal, with the option that writes it', () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    process.stdout.isTTY = true;
    expect(() => deliverPage('report', undefined, '<!doctype html>')).toThrow(
      expect.objectContaining({ remedy: 'Add `--out ../report.html`.' }),
    );
    expect(write).not.toHaveBeenCalled();
  });

  it('is printed to a pipe', () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    process.stdout.isTTY = false;
    deliverPage('digest', undefined, '<!doctype html>');
    expect(write).toHaveBeenCalledWith('<!doctype html>');
  });
});
