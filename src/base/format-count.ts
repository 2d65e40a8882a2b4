/** `1 attempt`, `2 attempts`. */
export const formatCount = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
