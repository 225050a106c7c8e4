/** An answer with the result of a use case as its payload. */
export const asData = <A>(data: A) => ({ data })
