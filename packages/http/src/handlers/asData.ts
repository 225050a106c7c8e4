/** An answer whose payload is what the operation gave, as it is. */
export const asData = <A>(data: A) => ({ data })
