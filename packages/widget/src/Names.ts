/**
 * The names of what was picked, from free searches. Most pages ask for none, so this is loaded on demand; it is handed
 * what it shares with the rest, so that no other file comes with it.
 */
import type { SelectionNames } from "@postcode/core/Selection"
import type { Search } from "./Search.ts"
import type { Code } from "./TypedCode.ts"

/** Names of state and LGA, as a selection has them. */
export type Names = Partial<SelectionNames>

/** How long a selection waits for them. */
const patience_ms = 3_000

/** Names of state and LGA. Those that do not come in time are null: a selection does not fail for want of them. */
export const namesOf = async (search: Search, gateway: string, code: Code): Promise<Names> => {
  const signal = AbortSignal.timeout(patience_ms)
  const named = async (part: string): Promise<string | null> => {
    // Without its last character it is completed by itself, and by its neighbours.
    if (!search.names.has(part)) await search.complete(gateway, part.slice(0, -1), signal)
    return search.names.get(part) ?? null
  }
  try {
    return { state: await named(code.slice(0, 2)), lga: code.length > 2 ? await named(code.slice(0, 5)) : null }
  } catch {
    return {}
  }
}
