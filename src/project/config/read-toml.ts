import { TomlError, parse } from 'smol-toml';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { type RuleFault, faultAt } from './rule-fault.ts';
import type { ConfigFile } from './config-file.ts';

/** The most characters of a TOML file, and of one line of it; the largest known files have half of that. */
const MAX_LENGTH = 512 * 1024;
const MAX_LINE_LENGTH = 16 * 1024;

/** Why a text is not TOML. */
interface TomlFault {
  readonly line: number | undefined;
  readonly message: string;
}

/** Reads a TOML document, bounded in size and depth. */
export function readToml(text: string): Outcome<Record<string, unknown>, TomlFault> {
  if (text.length > MAX_LENGTH) return failure({ line: undefined, message: 'more than 512 kB' });
  const long = text.split('\n').findIndex((line) => line.length > MAX_LINE_LENGTH);
  if (long !== -1) return failure({ line: long + 1, message: 'a line of more than 16 kB' });
  try {
    return success({ ...parse(text.replace(/^\uFEFF/, ''), { maxDepth: 64 }) });
  } catch (error) {
    if (!(error instanceof TomlError)) return failure({ line: undefined, message: 'not valid TOML' });
    const [message = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    return failure({ line: error.line, message: message.slice(0, 120) });
  }
}

/** Converts `.andon/pipeline.toml` to keys of `.andon/config.yaml`, not yet checked. */
export function readPipelineToml({ name, text }: ConfigFile): {
  readonly value: Record<string, unknown>;
  readonly faults: readonly RuleFault[];
} {
  if (text === undefined) return { value: {}, faults: [] };
  const read = readToml(text);
  if (read.ok) return { value: read.value, faults: [] };
  return { value: {}, faults: [faultAt(name, read.why.line, [], read.why.message, 'correct it')] };
}
