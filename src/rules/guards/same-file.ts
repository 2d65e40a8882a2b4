/** Whether two names are those of one file, where one of them may be named by its end alone. */
export const isSame = (one: string, other: string): boolean => {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const bare = short.replace(/^\.\//, '');
  return long === bare || long.endsWith(`/${bare}`);
};
