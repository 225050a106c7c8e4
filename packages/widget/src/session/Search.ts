/** The gateway's free searches. They send no key, so that an invalid key cannot break them. */

import { type Code, depthOf } from "../TypedCode.ts"
import { Problem, request } from "./Request.ts"

/** A selectable suggestion. */
export interface Choice {
  readonly code: Code
  /** The name of a place, or the label of a bookmark. */
  readonly label: string
  readonly source: "bookmark" | "search"
}

/** What a text leads to: choices, or else the postcode that it may be a typing error of. */
export type Found = readonly [
  choices: ReadonlyArray<Choice>,
  meant: Code | undefined,
  places: ReadonlyArray<Suggestion>
]

export class Search {
  /** Names of states and LGAs by code, as far as they were received. */
  readonly names = new Map<string, string>()
  #pausedUntil_ms = 0

  /** Completes a text, by code or by name. */
  async complete(gateway: string, text: string, signal: AbortSignal): Promise<Found> {
    const { did_you_mean, suggestions } = await this.get<Completion>(
      `${gateway}/v1/search/autocomplete?${new URLSearchParams({ q: text, limit: "50" })}`,
      signal
    )
    // Places of one name are told apart by what they lie in.
    const areApart = new Set(suggestions.map(({ within }) => within)).size > 1
    const choices = suggestions.map(({ code, label, prefix, within }): Choice => {
      if (depthOf(prefix) < 3) this.names.set(prefix, label)
      const name = label === code ? "" : areApart && within ? `${label}, ${within}` : label
      return { code: prefix, label: name, source: "search" }
    })
    return [choices, did_you_mean, suggestions]
  }

  /** Honours the service's `Retry-After`, up to a minute. */
  async get<A>(url: string, signal: AbortSignal): Promise<A> {
    if (Date.now() < this.#pausedUntil_ms) throw new Problem(429, "rate_limit_exceeded", "wait for retry-after")
    try {
      return await request<A>(url, signal)
    } catch (error) {
      const pause_s = error instanceof Problem ? Math.min(error.retryAfter_s, 60) : 0
      this.#pausedUntil_ms = Math.max(this.#pausedUntil_ms, Date.now() + pause_s * 1000)
      throw error
    }
  }
}

/** The gateway's suggestion of a place. */
export interface Suggestion {
  readonly code: string
  readonly label: string
  readonly prefix: Code
  readonly within?: string
}

interface Completion {
  readonly suggestions: ReadonlyArray<Suggestion>
  readonly did_you_mean?: Code
}

/** The unit nearest to a position, if there is one within the radius. */
export type Nearest =
  | { readonly found: false }
  | { readonly found: true; readonly unit: { readonly postcode: Code; readonly distance_m: number } }
