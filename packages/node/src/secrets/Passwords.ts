/**
 * The port `Passwords` with Node's Argon2id and the parameters that OWASP recommends first. It runs outside the event
 * loop, with limited concurrency, so that a flood of attempts does not exhaust memory or processors.
 */
import * as crypto from "node:crypto"
import { Passwords } from "@postcode/gateway/accounts/Passwords"
import { Unavailable } from "@postcode/gateway/Errors"
import { Effect, Layer, Redacted, Semaphore } from "effect"

/** The costs of password hashes, and how many are computed at once. */
export interface NodePasswordsOptions {
  /** Concurrent computations; 2 by default. Each occupies a processor. */
  readonly maxRunning?: number
  /** Waiting computations; 32 by default. Further ones fail with `Unavailable`. */
  readonly maxWaiting?: number
  /** Memory of each computation; 19,456 by default. Stored hashes keep their own value. */
  readonly memory_kib?: number
}

export const layerNodePasswords = (options: NodePasswordsOptions = {}): Layer.Layer<Passwords> =>
  Layer.sync(Passwords, () => {
    const { maxRunning = 2, maxWaiting = 32, memory_kib = 19_456 } = options
    const present: Parameters = { memory_kib, passes: 2, parallelism: 1 }
    /** Verified for an unknown account, so that the time does not reveal it. */
    const dummy: Hashed = { parameters: present, salt: Buffer.alloc(16), tag: Buffer.alloc(tagLength) }
    const semaphore = Semaphore.makeUnsafe(maxRunning)
    let admitted = 0

    const limited = <A>(work: Effect.Effect<A>): Effect.Effect<A, Unavailable> =>
      Effect.suspend(() => {
        if (admitted >= maxRunning + maxWaiting) return Effect.fail(tooMany)
        admitted++
        return Effect.ensuring(
          // A started computation cannot be cancelled, so it holds its permit until it ends.
          semaphore.withPermit(Effect.uninterruptible(work)),
          Effect.sync(() => admitted--)
        )
      })

    return {
      hash: (password) =>
        limited(
          Effect.map(
            Effect.suspend(() => hashWith(password, present, crypto.randomBytes(16))),
            phcOf
          )
        ),
      verify: (password, hashed) => {
        const expected = hashed === undefined ? undefined : readPhc(hashed)
        const { parameters, salt, tag } = expected ?? dummy
        return Effect.map(
          limited(hashWith(password, parameters, salt)),
          (actual) => crypto.timingSafeEqual(actual.tag, tag) && expected !== undefined
        )
      }
    }
  })

interface Parameters {
  readonly memory_kib: number
  readonly passes: number
  readonly parallelism: number
}

interface Hashed {
  readonly parameters: Parameters
  readonly salt: Buffer
  readonly tag: Buffer
}

const tagLength = 32

const hashWith = (password: Redacted.Redacted<string>, parameters: Parameters, salt: Buffer): Effect.Effect<Hashed> =>
  Effect.callback((resume) => {
    if (crypto.argon2 === undefined) return resume(Effect.die(new Error("passwords need Node.js 24.7 or newer")))
    const { memory_kib: memory, parallelism, passes } = parameters
    const message = Redacted.value(password).normalize("NFC")
    crypto.argon2("argon2id", { message, nonce: salt, memory, passes, parallelism, tagLength }, (error, tag) =>
      resume(error ? Effect.die(error) : Effect.succeed({ parameters, salt, tag }))
    )
  })

const phcOf = ({ parameters: { memory_kib, parallelism, passes }, salt, tag }: Hashed): string =>
  `$argon2id$v=19$m=${memory_kib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`

/** @throws Error if this module did not write the text, which means that the store was modified */
const readPhc = (text: string): Hashed => {
  const [, memory_kib, passes, parallelism, salt = "", tag = ""] = phcPattern.exec(text) ?? []
  if (memory_kib === undefined) throw new Error("a stored password is not a PHC string of Argon2id")
  return {
    parameters: { memory_kib: Number(memory_kib), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64")
  }
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const base64 = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "")

const tooMany = new Unavailable({ retry_after_s: 1 })
