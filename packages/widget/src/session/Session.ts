/**
 * A widget session: it costs a credit, so it is opened only for an identifier that the user entered, or for an address.
 * Identifier and token are only in this object's memory. Loaded when the first session is opened; it imports no other
 * chunk.
 */

import type { Point } from "../discover/mercator.ts"
import type { NearUnit } from "../discover/mountDiscover.ts"
import type { Code, readCode } from "../TypedCode.ts"
import type { Ask } from "./Ask.ts"
import type { Problem, urlOf } from "./Request.ts"
import type { Choice } from "./Search.ts"

/** The address of the session endpoint, and the key. */
export interface Account {
  readonly gateway: string
  readonly platform: string
  readonly publishableKey: string
}

/** Dependencies, shared with other chunks. */
export interface Tools {
  readonly ask: Ask
  readonly readCode: typeof readCode
  readonly urlOf: typeof urlOf
}

export class Session {
  /** The address of the service's endpoints for widgets. */
  readonly platform: string
  readonly #request: Ask
  readonly #readCode: typeof readCode
  readonly #key: string
  readonly #identifier: string | undefined
  #token = ""
  /** The operator's style for the map; an empty text if there is none. */
  mapStyle = ""
  #renewal: Promise<void> | undefined

  /** @param identifier absent for a visitor, who has no bookmarks */
  constructor({ ask, readCode, urlOf }: Tools, { gateway, platform, publishableKey }: Account, identifier?: string) {
    this.#request = ask
    this.#readCode = readCode
    this.platform = urlOf(platform || gateway)
    this.#key = publishableKey
    this.#identifier = identifier
  }

  /** Costs a credit. */
  async open(signal = neverAborted()): Promise<void> {
    const init = post({ identifier: this.#identifier })
    const { map_style = "", token } = await this.#request<Started>(`${this.platform}/v1/widget/session`, signal, {
      ...init,
      headers: { ...init.headers, "x-api-key": this.#key }
    })
    this.#token = token
    this.mapStyle = map_style
  }

  /** The bookmarks with a postcode, in the end user's order. */
  async bookmarks(signal: AbortSignal): Promise<ReadonlyArray<Choice>> {
    const { bookmarks } = await this.#authorized<Bookmarks>("bookmarks", signal, {})
    return bookmarks.flatMap(({ label, postcode }) => {
      const code = this.#readCode(postcode, 5)
      return code ? [{ code, label, source: "bookmark" }] : []
    })
  }

  /** The postcodes that an address may have. A session has a limited number of these queries. */
  address(text: string, signal: AbortSignal): Promise<AddressAnswer> {
    return this.#authorized(`address?${new URLSearchParams({ q: text })}`, signal, {})
  }

  /** The units around a point, nearest first, at most 20. A session has a limited number of these queries. */
  async nearby(at: Point, radius_m: number, signal: AbortSignal): Promise<ReadonlyArray<NearUnit>> {
    const query = new URLSearchParams({ lat: `${at.lat}`, lng: `${at.lng}`, radius: `${radius_m}` })
    type Nearby = { readonly results: ReadonlyArray<NearUnit> }
    return (await this.#authorized<Nearby>(`nearby?${query}`, signal, {})).results
  }

  /** Reports a selection. The request outlives the page (`keepalive`). */
  async record({ code, source }: Choice): Promise<void> {
    const init = post(source === "discover" ? { postcode: code, source } : { postcode: code })
    await this.#authorized("selected", neverAborted(), init)
  }

  /**
   * Renews a rejected token once, since it may just have expired. Requests that were rejected with the same token share
   * one renewal.
   */
  async #authorized<A>(path: string, signal: AbortSignal, init: RequestInit): Promise<A> {
    const used = this.#token
    const ask = () =>
      this.#request<A>(`${this.platform}/v1/widget/${path}`, signal, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${this.#token}` }
      })
    try {
      return await ask()
    } catch (error) {
      if ((error as Partial<Problem>).status !== 401) throw error
      if (this.#token === used) {
        this.#renewal ??= this.open().finally(() => {
          this.#renewal = undefined
        })
        await this.#renewal
      }
      return ask()
    }
  }
}

/** The answer of an address search. */
export interface AddressAnswer {
  /** Null if no code is certain enough. */
  readonly code: Code | null
  readonly label: string | null
  readonly understood: { readonly subpremise: string | null }
  /** Best first. */
  readonly candidates: ReadonlyArray<{ readonly code: Code; readonly label: string; readonly probability: number }>
}

interface Started {
  readonly token: string
  readonly map_style?: string
}

interface Bookmarks {
  readonly bookmarks: ReadonlyArray<Bookmark>
}

interface Bookmark {
  readonly postcode: string
  readonly label: string
}

const neverAborted = (): AbortSignal => new AbortController().signal

const post = (body: unknown): RequestInit => ({
  method: "POST",
  keepalive: true,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})
