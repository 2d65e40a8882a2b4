import { describe, expect, it } from 'vitest';
import { STATUSES } from '../../../src/base/names.ts';
import { diagram } from '../../../scripts/diagram.ts';
import { generated, textOf } from '../../../scripts/generate.ts';

const files = generated(textOf('ARCHITECTURE.md'));

describe('what is generated', () => {
  it.each([...files.keys()])('%s is what the generator writes; if not: npm run generate', (path) => {
    expect(textOf(path)).toBe(files.get(path));
  });

  it('keeps everything in ARCHITECTURE.md that is outside the block', () => {
    const before = '# House\n\n<!-- diagram -->\nold $& text\n<!-- /diagram -->\n\nRest\n';
    const after = generated(before).get('ARCHITECTURE.md') ?? '';
    expect(after.startsWith('# House\n\n<!-- diagram -->\n```mermaid\nstateDiagram-v2\n')).toBe(true);
    expect(after.endsWith('```\n<!-- /diagram -->\n\nRest\n')).toBe(true);
    expect(after).not.toContain('old');
  });

  it('has schemas that say what they are for', () => {
    for (const [path, text] of files)
      if (path.endsWith('.json')) expect(JSON.parse(text), path).toHaveProperty('$schema');
  });
});

describe('the diagram', () => {
  it('shows every status, and a trip as a way out of every working one', () => {
    const text = diagram();
    for (const status of STATUSES) expect(text).toContain(status);
    expect(text.match(/--> erik_consultation: tripped$/gm)).toHaveLength(5);
    expect(text.match(/--> erik_consultation: HALT$/gm)).toHaveLength(5);
    expect(text).toContain('  erik_consultation --> review_complete: RESUME');
    expect(text).toContain('  merged --> [*]');
    expect(text).toContain('  pending_local_review --> pending_implementer: local_fail');
  });
});
