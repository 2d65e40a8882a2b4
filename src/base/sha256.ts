// oxlint-disable-next-line no-restricted-imports -- a digest is arithmetic, which the platform has
import { createHash } from 'node:crypto';

/** The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal. */
export const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
