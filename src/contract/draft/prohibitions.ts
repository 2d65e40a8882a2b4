/** A sentence that clearly forbids a file; other wordings are left to reviewers. */
const FORBIDS =
  /\b(?:do not|don['’]t|must not|may not|never|without)\s+(?:ever\s+)?(?:touch|chang|edit|modify|alter|rewrit|overwrit|delet|remov)(?:e|ing|ying)?\b([^;:\n]*)/gi;
/** The clause ends with the sentence, or before what is wanted or excepted. */
const CLAUSE_END =
  /[.!?](?:\s|$)|,?\s(?:but|only|except|unless|until|when|if|while|instead|and (?:add|change|make|write))\s/i;
const PATH = /`([^`\s]+)`|(?<![\w/.-])((?:[\w@.-]+\/)+[\w@.*-]*|[\w-]+\.[A-Za-z]\w{0,7})(?![\w/])/g;

/** The files and folders that a text clearly forbids, as it spells them. */
export function prohibitedPaths(text: string): readonly string[] {
  const paths = [...text.matchAll(FORBIDS)].flatMap(([, rest = '']) => {
    const clause = rest.slice(0, CLAUSE_END.exec(rest)?.index ?? rest.length);
    return [...clause.matchAll(PATH)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  });
  return [...new Set(paths.filter((path) => /[./]/.test(path) && !/\(|^[a-z]\.[a-z]$/i.test(path)))]; // nor `e.g.`
}
