import { execFileSync } from 'node:child_process';
import { failure, success, type Outcome } from '../../src/base/outcome.ts';

/** The real `ollama` on PATH and a model of it that answers; or in words why the tests are not run. Nothing is pulled. */
export function findOllama(): Outcome<string, string> {
  const listed = ask('list');
  if (listed === undefined) return failure('ollama is not installed');
  if (!listed.ok) return failure(`ollama does not answer: ${listed.why}`);
  const wanted = process.env['ANDON_OLLAMA_MODEL'];
  if (wanted !== undefined) return success(wanted);
  const smallest = listed.value
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s{2,}|\t/))
    .map(([name = '', , size = '']) => ({ name, bytes: bytesOf(size) }))
    .filter(({ name, bytes }) => Number.isFinite(bytes) && answers(name))
    .toSorted((a, b) => a.bytes - b.bytes)[0];
  return smallest === undefined
    ? failure('ollama has no model that answers; `ollama pull qwen2.5-coder:0.5b` gets a small one')
    : success(smallest.name);
}

/** Runs one command of ollama; undefined when it is not there. */
export function ask(...args: string[]): Outcome<string, string> | undefined {
  try {
    return success(execFileSync('ollama', args, { stdio: 'pipe', timeout: 60_000 }).toString());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return failure(String((error as { stderr?: Buffer }).stderr ?? error).trim());
  }
}

/** Models that only make embeddings do not complete anything. */
function answers(model: string): boolean {
  const shown = ask('show', model);
  return shown?.ok === true && (!shown.value.includes('Capabilities') || shown.value.includes('completion'));
}

/** `4.7 GB`; not a number for models in the cloud, which have no size here. */
function bytesOf(size: string): number {
  const [, number = '', unit = ''] = /^([\d.]+) ([KMGT]?)B$/.exec(size) ?? [];
  return number === '' ? Number.NaN : Number(number) * 1000 ** ' KMGT'.indexOf(unit === '' ? ' ' : unit);
}
