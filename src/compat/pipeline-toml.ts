import type { RuleFault } from '../rule-model/rule.ts';
import { faultAt, type ForeignFile } from './dialect.ts';
import { readToml } from './toml.ts';

/** Converts `.andon/pipeline.toml` to keys of `.andon/config.yaml`, not yet checked. */
export function readPipelineToml({ name, text }: ForeignFile): {
  readonly value: Record<string, unknown>;
  readonly faults: readonly RuleFault[];
} {
  if (text === undefined) return { value: {}, faults: [] };
  const read = readToml(text);
  if (read.ok) return { value: read.value, faults: [] };
  return { value: {}, faults: [faultAt(name, read.why.line, [], read.why.message, 'correct it')] };
}
