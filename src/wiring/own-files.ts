/** Files beside andon's code in every installation. */
export { builtPage, installRoot, shippedNames, shippedText } from '../adapters/install-root.ts';
