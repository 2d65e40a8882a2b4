/** CSI, OSC, the choice of a character set, and the other two-character sequences. */
const SEQUENCE = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()*+][0-9A-Za-z]|[@-Z\\^_])/g;

/** A text without colours and other terminal sequences. */
export const stripSequences = (text: string): string => text.replace(SEQUENCE, '');
