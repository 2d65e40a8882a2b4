/** Files beside andon's code in every installation. */
export { builtPage, installRoot, pageStyle, shippedNames, shippedText } from '../adapters/install-root.ts';
