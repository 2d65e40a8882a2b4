/** The version, in a file of its own: saying it must not load anything else. */
export const VERSION = '0.1.0';
