/**
 * Names and coordinates, for keys that may see them. Most keys may not, so this is loaded on demand; it is handed what
 * it shares with the rest, so that no other file comes with it.
 */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Picked } from "@postcode/core/Selection"
import type { request } from "./Request.ts"
import type { Search } from "./Search.ts"
import type { Code } from "./TypedCode.ts"

/** What is known of a postcode beyond its code. */
export type Description = Partial<Pick<Picked, "names" | "coordinate" | "served_level">>

/** What it can be asked with. */
export interface Means {
  readonly ask: typeof request
  readonly gateway: string
  readonly key: string
  readonly search: Search
}

/** How long a selection waits for them. */
const patience_ms = 3_000

/**
 * What can be known of a code at a level: names from free searches, and at level 5 the point, by a lookup that costs
 * credits. What does not come in time is left out: a selection does not fail for want of it.
 */
export const describe = async (
  { ask, gateway, key, search }: Means,
  code: Code,
  level: AccessLevel
): Promise<Description> => {
  const signal = AbortSignal.timeout(patience_ms)
  const [names, facts] = await Promise.all([
    namesOf(search, gateway, code, signal).catch(() => ({})),
    level === 5 && code.length === 15 ? factsOf(ask, gateway, key, code, signal).catch(() => ({})) : {}
  ])
  return { names, ...facts }
}

const namesOf = async (search: Search, gateway: string, code: Code, signal: AbortSignal) => {
  const named = async (part: string): Promise<string | null> => {
    // Without its last character it is completed by itself, and by its neighbours.
    if (!search.names.has(part)) await search.complete(gateway, part.slice(0, -1), signal)
    return search.names.get(part) ?? null
  }
  return { state: await named(code.slice(0, 2)), lga: code.length > 2 ? await named(code.slice(0, 5)) : null }
}

const factsOf = async (
  ask: typeof request,
  gateway: string,
  key: string,
  code: Code,
  signal: AbortSignal
): Promise<Description> => {
  const { data, headers } = await ask<LookupAnswer>(
    `${gateway}/v1/lookup?${new URLSearchParams({ code, level: "5" })}`,
    signal,
    { headers: { "x-api-key": key } }
  )
  const [lon, lat] = data.point_geometry?.coordinates ?? []
  const served_level = Number(headers.get("x-lookup-level")) as AccessLevel
  return lat === undefined || lon === undefined ? { served_level } : { served_level, coordinate: { lat, lon } }
}

interface LookupAnswer {
  readonly point_geometry?: { readonly coordinates: readonly [lon: number, lat: number] }
}
