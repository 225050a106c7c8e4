/**
 * The names of a selection's state and LGA, from free searches. Loaded on demand, since few pages need it; its
 * dependencies are passed in, so that it imports no other chunk.
 */
import type { SelectionNames } from "@postcode/core/Selection"
import type { Search } from "./session/Search.ts"
import type { Code } from "./TypedCode.ts"

/** Names of state and LGA in a selection. */
export type Names = Partial<SelectionNames>

/** The timeout of the names. */
const timeout_ms = 3_000

/** Names of state and LGA; null on a timeout, so that the selection does not fail. */
export const namesOf = async (search: Search, gateway: string, code: Code): Promise<Names> => {
  const signal = AbortSignal.timeout(timeout_ms)
  const named = async (part: string): Promise<string | null> => {
    // Without its last character, a segment's suggestions are itself and its neighbours.
    if (!search.names.has(part)) await search.complete(gateway, part.slice(0, -1), signal)
    return search.names.get(part) ?? null
  }
  try {
    return { state: await named(code.slice(0, 2)), lga: code.length > 2 ? await named(code.slice(0, 5)) : null }
  } catch {
    return {}
  }
}
