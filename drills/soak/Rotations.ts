/** Keys of payers that are rotated each minute. A new secret works at once, an old one until its end. */
import { setTimeout } from "node:timers/promises"
import { type Attempt, lookUpOnce, type Scene, send } from "../kit/Clients.ts"
import { makeCustomer } from "../kit/Installation.ts"
import { manage } from "../kit/Management.ts"
import { until } from "../kit/until.ts"

/** How an old key ends: with its rotation, by a revocation in its overlap, or by the expiry that it had before. */
type Ending = "expired" | "replaced" | "revoked"

/** A payer whose secret changes. */
interface Rotating {
  readonly ending: Ending
  readonly account: string
  secret: string
}

interface Load {
  readonly scene: Scene
  readonly signal: AbortSignal
  readonly record: (attempt: Attempt) => void
}

/** A key as lists show it. */
interface Key {
  readonly id: string
  readonly expires_at?: string
}

const interval_ms = 60_000

export class Rotations {
  rotated = 0
  /** Old secrets that were refused after their end. */
  refused = 0
  readonly wrong: Array<string> = []
  readonly payers: ReadonlyArray<Rotating>
  private readonly url: string
  private lookups = 0

  private constructor(url: string, payers: ReadonlyArray<Rotating>) {
    this.url = url
    this.payers = payers
  }

  static async create(port: number): Promise<Rotations> {
    const url = `http://127.0.0.1:${port}`
    const make = async (ending: Ending): Promise<Rotating> => {
      const expires_at = new Date(Date.now() + 2 * interval_ms).toISOString()
      const told = { name: ending, ...(ending === "expired" && { expires_at }) }
      const { id, secret } = await makeCustomer({ url }, 1_000_000_000, told)
      return { ending, account: `${id} live`, secret }
    }
    return new Rotations(url, [await make("replaced"), await make("revoked"), await make("expired")])
  }

  /** Goes on until the signal. */
  async run(load: Load): Promise<void> {
    await Promise.all(this.payers.map((payer) => this.rotateEachMinute(payer, load).catch(this.fail)))
  }

  private readonly fail = (error: unknown): void => void this.wrong.push(`${error}`)

  private async rotateEachMinute(payer: Rotating, load: Load): Promise<void> {
    const start_ms = performance.now()
    const overlap = payer.ending === "replaced" ? "now" : "1h"
    const ends: Array<Promise<void>> = []
    let key = await this.newestKey(payer)
    for (let n = 1; await pause(start_ms + n * interval_ms - performance.now(), load.signal); n++) {
      const old = { key, secret: payer.secret }
      const rotated = await untilDone(async () => {
        // If an answer was lost, the newest key is one that nobody knows.
        const { id } = await this.newestKey(payer)
        return await manage<Key & { readonly secret: string }>(this.url, "POST", `/keys/${id}/rotate`, { overlap })
      })
      key = rotated
      payer.secret = rotated.secret
      this.rotated++
      await this.expectStatus(payer, "a new secret", payer.secret, 200, load)
      ends.push(this.watchEnd(payer, old.key, old.secret, load).catch(this.fail))
    }
    await Promise.all(ends)
  }

  private async watchEnd(payer: Rotating, { expires_at, id }: Key, secret: string, load: Load): Promise<void> {
    const { scene, signal } = load
    const end_ms = Date.parse(expires_at ?? "")
    const isExpiring = payer.ending === "expired"
    if (isExpiring && !(await pause(end_ms - beforeEnd_ms - Date.now(), signal))) return
    if (payer.ending !== "replaced") await this.expectStatus(payer, "an old secret before its end", secret, 200, load)
    if (payer.ending === "revoked") await untilDone(() => manage(this.url, "DELETE", `/keys/${id}`))
    if (isExpiring && !(await pause(end_ms + 1_000 - Date.now(), signal))) return
    await this.expectStatus(payer, "an old secret after its end", secret, 401, load)
    // A free search is refused within 600 ms, or once a failover is over.
    const search = {
      port: scene.ports[0] as number,
      path: "/v1/search/autocomplete?q=LA",
      request_id: "search",
      secret
    }
    await until("a refusal of a search with an old secret", async () => (await send(search)).status === 401)
    this.refused++
  }

  private async newestKey({ account }: Rotating): Promise<Key> {
    const path = `/organizations/${account.split(" ")[0]}/keys`
    const { keys } = await untilDone(() => manage<{ readonly keys: ReadonlyArray<Key> }>(this.url, "GET", path))
    return keys[0] as Key
  }

  /** Compares the status of a paid lookup, which is repeated while a failover leaves it without an answer. */
  private async expectStatus(
    { account, ending }: Rotating,
    what: string,
    secret: string,
    expected: number,
    { record, scene }: Load
  ): Promise<void> {
    let status = 0
    await until(`an answer to ${what}`, async () => {
      status = await lookUpOnce(`rotation-${++this.lookups}`, scene, { account, secret }, record)
      return status !== 0 && status !== 503
    })
    if (status !== expected) this.wrong.push(`${what} of a key that is ${ending}: ${status} in place of ${expected}`)
  }
}

/** Longer than a failover takes. */
const beforeEnd_ms = 25_000

/** Returns whether the time passed without the signal. */
const pause = (time_ms: number, signal: AbortSignal): Promise<boolean> =>
  setTimeout(Math.max(0, time_ms), undefined, { signal }).then(
    () => true,
    () => false
  )

/** Repeats what fails in a failover. */
const untilDone = async <A>(call: () => Promise<A>): Promise<A> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === maxAttempts) throw error
      await setTimeout(500)
    }
  }
}

const maxAttempts = 100
