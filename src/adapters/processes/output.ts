/** The kept output of one stream of a program. */
export interface Output {
  readonly text: string;
  /** Whether it was UTF-8; a character cut by the cap does not count. */
  readonly valid: boolean;
}

/** Keeps the beginning of a stream, up to a cap. */
export function createCollector(cap: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    /** False once the cap is passed; later output is dropped. */
    take(chunk: Buffer): boolean {
      if (size < cap) chunks.push(chunk.subarray(0, cap - size));
      size += chunk.length;
      return size <= cap;
    },
    text(): Output {
      const bytes = Buffer.concat(chunks);
      try {
        return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), valid: true };
      } catch {
        return { text: bytes.toString('utf8'), valid: size > cap };
      }
    },
  };
}
