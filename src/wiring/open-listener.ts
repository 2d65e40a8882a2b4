export { openListener } from '../adapters/listener/listener.ts';
export type { Refusal } from '../adapters/listener/listener.ts';
export { isSameSecret } from '../adapters/listener/same-secret.ts';
