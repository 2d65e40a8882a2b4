/** What lies beside andon's code in every installation. */
export { builtPage, placeOfAndon, shippedNames, shippedText } from '../adapters/own-files.ts';
