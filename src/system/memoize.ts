/** Computes a value once, on first use. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}

/** A function that is called only once for each argument. */
export function once<A, T>(make: (of: A) => T): (of: A) => T {
  const made = new Map<A, { readonly it: T }>();
  return (of) => {
    const known = made.get(of) ?? { it: make(of) };
    made.set(of, known);
    return known.it;
  };
}
