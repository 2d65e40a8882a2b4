/** What is made of a thing is made once, and kept for as long as the thing itself is there. */
export function remembered<Thing extends object, Made extends object>(make: (of: Thing) => Made): (of: Thing) => Made {
  const known = new WeakMap<Thing, Made>();
  return (of) => {
    const kept = known.get(of);
    if (kept !== undefined) return kept;
    const made = make(of);
    known.set(of, made);
    return made;
  };
}

/** What is made of a text, kept until another text comes: many rules ask about the same one. */
export function rememberLast<Made>(make: (text: string) => Made): (text: string) => Made {
  let last: { readonly text: string; readonly made: Made } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}
