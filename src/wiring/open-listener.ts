export { isSameSecret, openListener } from '../adapters/listener/listener.ts';
export type { Refusal } from '../adapters/listener/listener.ts';
