/**
 * The port `Passwords` on Node's own Argon2id, with the parameters that OWASP recommends first. It runs beside the event
 * loop, and no more than a few at a time, so that a flood of attempts takes neither all memory nor all processors.
 */
import * as crypto from "node:crypto"
import { Passwords } from "@postcode/core/accounts/Passwords"
import { Unavailable } from "@postcode/core/Errors"
import { Effect, Layer, Redacted, Semaphore } from "effect"

export interface NodePasswordsOptions {
  /** How many are worked on at once; 2 unless told. Each takes a processor for as long. */
  readonly maxRunning?: number
  /** How many may wait for their turn; 32 unless told. One more is refused as `Unavailable`. */
  readonly maxWaiting?: number
  /** How much memory each takes, in KiB; 19,456 unless told. Those that are stored keep what they were made with. */
  readonly memory_kib?: number
}

export const layerNodePasswords = (options: NodePasswordsOptions = {}): Layer.Layer<Passwords> =>
  Layer.sync(Passwords, () => {
    const { maxRunning = 2, maxWaiting = 32, memory_kib = 19_456 } = options
    const present: Parameters = { memory_kib, passes: 2, parallelism: 1 }
    /** What is worked on for an account that does not exist. */
    const nobody: Hashed = { parameters: present, salt: Buffer.alloc(16), tag: Buffer.alloc(tagLength) }
    const semaphore = Semaphore.makeUnsafe(maxRunning)
    let admitted = 0

    const inTurn = <A>(work: Effect.Effect<A>): Effect.Effect<A, Unavailable> =>
      Effect.suspend(() => {
        if (admitted >= maxRunning + maxWaiting) return Effect.fail(tooMany)
        admitted++
        return Effect.ensuring(
          // What was begun goes on without whoever asked, so it keeps its place until it is done.
          semaphore.withPermit(Effect.uninterruptible(work)),
          Effect.sync(() => admitted--)
        )
      })

    return {
      hash: (password) =>
        inTurn(
          Effect.map(
            Effect.suspend(() => hashWith(password, present, crypto.randomBytes(16))),
            phcOf
          )
        ),
      verify: (password, hashed) => {
        const expected = hashed === undefined ? undefined : readPhc(hashed)
        const { parameters, salt, tag } = expected ?? nobody
        return Effect.map(
          inTurn(hashWith(password, parameters, salt)),
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

/** @throws Error if the text is none that this wrote: whoever wrote it had the store */
const readPhc = (text: string): Hashed => {
  const [, memory_kib, passes, parallelism, salt = "", tag = ""] = phcPattern.exec(text) ?? []
  if (memory_kib === undefined) throw new Error("a stored password is no PHC string of Argon2id")
  return {
    parameters: { memory_kib: Number(memory_kib), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64")
  }
}

const phcPattern = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const base64 = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "")

const tooMany = new Unavailable({ retry_after_s: 1 })
