/**
 * A session of the platform: it costs a credit, so it is opened only for an identifier that its user gave. Identifier
 * and token stay in this object's memory, and go with it. Loaded when the first one is opened; no other file comes with
 * it.
 */
import type { Problem, request } from "./Request.ts"
import type { Code } from "./TypedCode.ts"

export class Session {
  readonly #request: typeof request
  readonly #platform: string
  readonly #key: string
  readonly #identifier: string
  #token = ""

  constructor(ask: typeof request, platform: string, key: string, identifier: string) {
    this.#request = ask
    this.#platform = platform
    this.#key = key
    this.#identifier = identifier
  }

  /** Costs a credit. */
  async open(signal: AbortSignal): Promise<void> {
    const init = post({ identifier: this.#identifier })
    const { data } = await this.#request<{ readonly token: string }>(`${this.#platform}/v1/widget/session`, signal, {
      ...init,
      headers: { ...init.headers, "x-api-key": this.#key }
    })
    this.#token = data.token
  }

  /** In the order of their owner. */
  async bookmarks(signal: AbortSignal): Promise<ReadonlyArray<Bookmark>> {
    const { bookmarks } = await this.#authorized<Bookmarks>("bookmarks", signal, {})
    return bookmarks
  }

  /** Tells what was picked. The request outlives the page. */
  async record(code: Code): Promise<void> {
    const signal = new AbortController().signal
    await this.#authorized("selected", signal, post({ postcode: code }))
  }

  /** A token that is refused is renewed once: the time of the old one may just be over. */
  async #authorized<A>(path: string, signal: AbortSignal, init: RequestInit): Promise<A> {
    const ask = async () =>
      (
        await this.#request<A>(`${this.#platform}/v1/widget/${path}`, signal, {
          ...init,
          headers: { ...init.headers, authorization: `Bearer ${this.#token}` }
        })
      ).data
    try {
      return await ask()
    } catch (error) {
      if ((error as Partial<Problem>).status !== 401) throw error
      await this.open(signal)
      return ask()
    }
  }
}

interface Bookmarks {
  readonly bookmarks: ReadonlyArray<Bookmark>
}

export interface Bookmark {
  readonly postcode: string
  readonly label: string
}

const post = (body: unknown): RequestInit => ({
  method: "POST",
  keepalive: true,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body)
})
