/** Creates the first operator: from the environment, or by a single-use link. */
import { readFile } from "node:fs/promises"
import { claimInstance, type InstanceClaim } from "@postcode/gateway/accounts/claimInstance"
import { acceptInvitation } from "@postcode/gateway/accounts/invitations/acceptInvitation"
import { Effect, Redacted } from "effect"
import { type ClaimFile, removeStaleClaimFiles, writeClaimFile } from "./ClaimFile.ts"
import type { CommandFailure } from "./process/ExitCode.ts"
import { host } from "./process/Host.ts"
import { say } from "./process/Output.ts"
import { wrongUsage } from "./WrongUsage.ts"

/** A link with which a user becomes the first operator. */
export interface ClaimLink {
  readonly url: string
  /** A file with the link, readable only by this user; undefined if none could be written. */
  readonly file: string | undefined
}

/** The first operator in the environment. */
export interface NamedOperator {
  readonly email: string
  /** Read only if needed: the secret may be removed once the operator exists. */
  readonly password: Effect.Effect<Redacted.Redacted<string>, CommandFailure>
}

const emailName = "POSTCODE_ADMIN_EMAIL"
const passwordFileName = "POSTCODE_ADMIN_PASSWORD_FILE"

/** The operator in the environment; undefined if there is none. */
export const namedOperator: Effect.Effect<NamedOperator | undefined, CommandFailure> = Effect.suspend(() => {
  const [email = "", path = ""] = [host().env[emailName], host().env[passwordFileName]]
  if (email === "" && path === "") return Effect.succeed(undefined)
  return email === "" || path === ""
    ? Effect.fail(wrongUsage(`${emailName} and ${passwordFileName}: both are needed to make the first operator`))
    : Effect.succeed({ email, password: passwordIn(path) })
})

/**
 * Creates the first operator from the environment, or a link to become it. Does nothing if an operator exists.
 *
 * @param origin the console's origin in browsers
 */
export const firstOperator = (origin: string, named: NamedOperator | undefined) =>
  Effect.gen(function* () {
    yield* removeStaleClaimFiles
    const claim = yield* yield* claimInstance
    if (claim === undefined) return undefined
    if (named === undefined) return yield* claimLink(origin, claim)
    yield* makeOperator(claim.token, named)
    return undefined
  }).pipe(
    Effect.catchTag("Unavailable", () => {
      say("the first operator could not be made now: the next start tries again")
      return Effect.succeed(undefined)
    })
  )

const passwordIn = (path: string): NamedOperator["password"] =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.map((text) => Redacted.make(text.replace(/\r?\n$/, ""))),
    Effect.mapError(() => wrongUsage(`${passwordFileName}: the file cannot be read`))
  )

const makeOperator = Effect.fnUntraced(function* (token: Redacted.Redacted<string>, named: NamedOperator) {
  const accept = yield* acceptInvitation
  const { email } = named
  const password = yield* named.password
  yield* Effect.catchTags(accept({ email, password, token, name: "Administrator", address: "service" }), {
    InvalidParameter: ({ message, parameter }) =>
      Effect.fail(wrongUsage(`${parameter === "email" ? emailName : passwordFileName}: ${message}`)),
    Conflict: ({ message }) => Effect.fail(wrongUsage(`${emailName}: ${message}`)),
    RateLimitExceeded: ({ message }) => Effect.fail(wrongUsage(message)),
    // Another replica was faster.
    InvalidToken: () => Effect.void
  })
})

/** If the file cannot be written, the link is still on the first screen. */
const claimLink = Effect.fnUntraced(function* (origin: string, claim: InstanceClaim) {
  const url = `${origin}/console/#join=${Redacted.value(claim.token)}`
  const file = yield* writeClaimFile(url)
  if (file !== undefined) yield* Effect.forkScoped(removeOnceClosed(file, claim))
  return { url, file: file?.path } satisfies ClaimLink
})

/** Another replica may have accepted the claim, so the store is queried. */
const removeOnceClosed = (file: ClaimFile, { isOpen }: InstanceClaim): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (yield* Effect.catchTag(isOpen, "Unavailable", () => Effect.succeed(true))) yield* Effect.sleep("5 seconds")
    yield* file.remove
  })
