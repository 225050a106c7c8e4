/** Finds all methods of a path, so that a wrong method (405) differs from a wrong path (404). */

export interface Match<A> {
  /** By method. */
  readonly methods: ReadonlyMap<string, A>
  readonly params: Readonly<Record<string, string>>
}

/**
 * A router for paths such as `/v1/admin/keys/:id`. Paths without parameters are found in a map; the few patterns with
 * parameters are tried one after another.
 */
export const makeRouter = <A>(
  routes: ReadonlyArray<{ readonly method: string; readonly path: string; readonly value: A }>
): ((path: string) => Match<A> | undefined) => {
  const plain = new Map<string, { methods: Map<string, A>; params: Match<A>["params"] }>()
  const patterns = new Map<string, { steps: ReadonlyArray<string>; methods: Map<string, A> }>()
  for (const { method, path, value } of routes) {
    if (path.includes(":"))
      entry(patterns, path, () => ({ steps: path.split("/"), methods: new Map() })).set(method, value)
    else entry(plain, path, () => ({ methods: new Map(), params: {} })).set(method, value)
  }
  const withParameters = [...patterns.values()]

  return (path) => {
    const found = plain.get(path)
    if (found !== undefined) return found
    const steps = path.split("/")
    for (const { methods, steps: pattern } of withParameters) {
      const params = matchSteps(pattern, steps)
      if (params !== undefined) return { methods, params }
    }
    return undefined
  }
}

const entry = <A, E extends { readonly methods: Map<string, A> }>(
  map: Map<string, E>,
  path: string,
  make: () => E
): Map<string, A> => {
  const known = map.get(path) ?? make()
  map.set(path, known)
  return known.methods
}

const matchSteps = (
  pattern: ReadonlyArray<string>,
  steps: ReadonlyArray<string>
): Readonly<Record<string, string>> | undefined => {
  if (pattern.length !== steps.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, expected] of pattern.entries()) {
    const step = steps[i] as string
    if (!expected.startsWith(":")) {
      if (expected !== step) return undefined
    } else if (expected === ":postcode" && postcodePattern.test(step)) params.postcode = step.replaceAll("%20", " ")
    else if (expected !== ":postcode" && idPattern.test(step)) params[expected.slice(1)] = step
    else return undefined
  }
  return params
}

/** The service creates all ids in this form, so that path parameters need no decoding. */
const idPattern = /^[A-Za-z0-9_]{1,64}$/
/** Postcodes in canonical, compact or display format, and misspelled ones. A space is the only escape. */
const postcodePattern = /^(?:[A-Za-z0-9-]|%20){1,64}$/
