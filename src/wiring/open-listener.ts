export { isSameSecret, openListener } from '../adapters/listener/listener.ts';
export type { RequestRefusal } from '../adapters/listener/listener.ts';
