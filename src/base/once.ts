/** What is made when it is first asked for: a schema takes longer to make than most commands have use for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
