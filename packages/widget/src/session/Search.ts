/** The gateway's free searches. They send no key, so that an invalid key cannot break them. */

import type { Code, slotsOf } from "../TypedCode.ts"
import type { Ask } from "./Ask.ts"
import type { Problem } from "./Request.ts"

/** A selectable suggestion. */
export interface Choice {
  readonly code: Code
  /** The name of a place with what it lies in, `Ikeja, Lagos`, or the label of a bookmark; empty for an unnamed part. */
  readonly label: string
  /** More about it, such as how certain it is. */
  readonly note?: string
  /** Of the correction of a typing error: what was typed. */
  readonly typed?: string
  /** Of a unit, if its address is known: as the service's answer has it. */
  readonly address?: string
  /** Of a unit that an address was searched for: the part of the building in that text, such as `Flat 3`. */
  readonly subpremise?: string | null
  /** Of a unit, if the service's answer has its point. */
  readonly coordinate?: { readonly lat: number; readonly lon: number }
  /** Of state and LGA, if the service's answer has them. */
  readonly names?: Names
  /** Of what is not a whole postcode: why, and what the user typed. */
  readonly status?: "partial" | "unlisted"
  readonly text?: string
  readonly source: "bookmark" | "search" | "discover"
}

/** Names of state and LGA. */
export interface Names {
  readonly state?: string | null
  readonly lga?: string | null
}

/** What a text leads to: choices, or else the postcode that it may be a typing error of. */
export type Found = readonly [
  choices: ReadonlyArray<Choice>,
  meant: Code | undefined,
  places: ReadonlyArray<Suggestion>
]

/** Shared with the entry. */
export interface SearchTools {
  readonly ask: Ask
  readonly Problem: typeof Problem
  readonly slotsOf: typeof slotsOf
}

export class Search {
  readonly #tools: SearchTools
  /** Names of states and LGAs by code, as far as they were received. */
  readonly names = new Map<string, string>()
  #pausedUntil_ms = 0

  constructor(tools: SearchTools) {
    this.#tools = tools
  }

  /** Completes a text, by code or by name. */
  async complete(gateway: string, text: string, signal: AbortSignal): Promise<Found> {
    const { did_you_mean, suggestions } = await this.get<Completion>(
      `${gateway}/v1/search/autocomplete?${new URLSearchParams({ q: text, limit: "50" })}`,
      signal
    )
    const isCode = this.#tools.slotsOf(text) !== undefined
    const choices = suggestions.map(({ code, label, prefix, within = "" }): Choice => {
      const isNamed = label !== code
      if (isNamed) this.names.set(prefix, label)
      const [state, lga] = within.split(", ").reverse()
      if (state) this.names.set(prefix.slice(0, 2), state)
      if (lga) this.names.set(prefix.slice(0, 5), lga)
      // What continues a code lies in what was typed.
      return {
        code: prefix,
        label: isNamed ? (isCode || !within ? label : `${label}, ${within}`) : "",
        source: "search"
      }
    })
    return [choices, did_you_mean, suggestions]
  }

  /** The names of LGA and state of a code, as far as they were received: `Ikeja, Lagos`. */
  placeOf(code: string): string {
    const names = [code.slice(0, 5), code.slice(0, 2)].map((part) => this.names.get(part))
    return [...new Set(names)].filter(Boolean).join(", ")
  }

  /** Whether a text says no more than the names of these places. A single word may be another spelling or an alias. */
  isPlace(text: string, places: ReadonlyArray<Pick<Suggestion, "label" | "within">>): boolean {
    const words = wordsOf(text)
    const names = wordsOf(placeWords + places.map(({ label, within = "" }) => ` ${label} ${within}`)).join("")
    return places.length > 0 && (words.length < 2 || words.every((word) => names.includes(word)))
  }

  /** The names of state and LGA, if all of them were received. */
  namesOf(code: string): Names | undefined {
    const state = this.names.get(code.slice(0, 2))
    const lga = code.length < 3 ? null : this.names.get(code.slice(0, 5))
    return state === undefined || lga === undefined ? undefined : { state, lga }
  }

  /** The same, requested if it was not received; empty if it is unknown or cannot be had. */
  async findPlace(gateway: string, code: Code, signal: AbortSignal): Promise<string> {
    // Without its last character, a segment's suggestions are itself and its neighbours, also of a code that does not exist.
    const part = code.slice(0, code.length < 5 ? 1 : 4)
    if (!this.namesOf(code)) await this.complete(gateway, part, signal).catch(() => {})
    return this.placeOf(code)
  }

  /** Honours the service's `Retry-After`, up to a minute. */
  async get<A>(url: string, signal: AbortSignal): Promise<A> {
    const { ask, Problem } = this.#tools
    if (Date.now() < this.#pausedUntil_ms) throw new Problem(429, "rate_limit_exceeded", "wait for retry-after")
    try {
      return await ask<A>(url, signal)
    } catch (error) {
      const pause_s = error instanceof Problem ? Math.min(error.retryAfter_s, 60) : 0
      this.#pausedUntil_ms = Math.max(this.#pausedUntil_ms, Date.now() + pause_s * 1000)
      throw error
    }
  }
}

/** Words of the names of places that the suggestions do not have. */
const placeWords = "state local government area lga fct abuja"

/** The words of a text in small letters, without accents. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\d]+/gu) ?? []

/** The gateway's suggestion of a place. */
export interface Suggestion {
  readonly code: string
  readonly label: string
  readonly prefix: Code
  readonly within?: string
  /** The number of active units in it. */
  readonly units?: number
  /** Where its units are, rounded; absent if it has few. */
  readonly centre?: { readonly lat: number; readonly lng: number }
}

interface Completion {
  readonly suggestions: ReadonlyArray<Suggestion>
  readonly did_you_mean?: Code
}

/** The unit nearest to a position, if there is one within the radius. */
export type Nearest = { readonly found: false } | { readonly found: true; readonly unit: NearestUnit }

interface NearestUnit {
  readonly postcode: Code
  readonly distance_m: number
  readonly address?: string
}
