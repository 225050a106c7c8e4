/** Adds the sandbox to a store: its organizations and keys, its postcodes, and the failures of its keys. */
import { keyStatus } from "@postcode/core/ApiKey"
import { maxGrant } from "@postcode/core/Credits"
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { Units } from "@postcode/core/directory/Units"
import { Unavailable } from "@postcode/core/Errors"
import { ApiKeys } from "@postcode/core/keys/ApiKeys"
import { RateLimiter } from "@postcode/core/limits/RateLimiter"
import { Organizations } from "@postcode/core/organizations/Organizations"
import { Secrets } from "@postcode/core/store/Secrets"
import { Context, Effect, Redacted } from "effect"
import { withReservedAttributes, withReservedUnits } from "./SandboxDirectory.ts"
import { allSandboxKeys, sandboxKeys, sandboxOrganizations } from "./SandboxKeys.ts"

/** The store has active live keys, whose organizations must never get reserved answers. */
export class SandboxRefused {
  readonly _tag = "SandboxRefused"
  readonly message: string
  constructor(organization: string) {
    this.message = `the sandbox is for testing, and the organization ${organization} has an active live key: use another database`
  }
}

type Wrapped = ApiKeys | CurrentDirectory | RateLimiter | Units

/**
 * Creates what is missing in the store, and returns ports with the reserved answers. Fails with `SandboxRefused` if the
 * store has active live keys.
 */
export const openSandbox: Effect.Effect<
  Context.Context<Wrapped>,
  SandboxRefused | { readonly message: string },
  Organizations | Secrets | Wrapped
> = Effect.gen(function* () {
  yield* refuseLiveKeys
  yield* addSandbox
  return yield* reservedPorts
})

/** Creates the organizations and keys that the store does not have yet: an interrupted start is completed by the next one. */
const addSandbox = Effect.gen(function* () {
  const organizations = yield* Organizations
  const keys = yield* ApiKeys
  const { hashSent } = yield* Secrets
  for (const [name, organization] of Object.entries(sandboxOrganizations)) {
    const credits = name === "noCredits" ? 0 : maxGrant
    const create = organizations.create(organization, { test: credits, live: 0 })
    yield* Effect.catchTag(organizations.get(organization.id), "NotFound", () => create)
  }
  for (const { key, record } of allSandboxKeys) {
    const { revoked_at, ...stored } = record
    const create = keys.create(stored, hashSent(key))
    const made = revoked_at === undefined ? create : Effect.andThen(create, keys.revoke(record.id, revoked_at))
    yield* Effect.catchTag(keys.get(record.id), "NotFound", () => made)
  }
  const { created_at: status_changed_at, id } = sandboxOrganizations.suspended
  const { status } = yield* organizations.get(id)
  const suspension = { status: "suspended", status_reason: "Suspended by the sandbox.", status_changed_at } as const
  if (status === "active") yield* organizations.changeStatus(id, suspension)
})

const refuseLiveKeys = Effect.gen(function* () {
  const organizations = yield* Organizations
  const keys = yield* ApiKeys
  const now = new Date().toISOString()
  const reserved = new Set(allSandboxKeys.map(({ record }) => record.id))
  let cursor: string | undefined
  do {
    const page = yield* organizations.list({}, { limit: 100, cursor })
    for (const { id, name } of page.items) {
      let after: string | undefined
      do {
        const found = yield* keys.list(id, { limit: 100, cursor: after })
        const live = found.items.find(
          (key) => key.environment === "live" && !reserved.has(key.id) && keyStatus(key, now) === "active"
        )
        if (live !== undefined) return yield* Effect.fail(new SandboxRefused(`${name}, ${id},`))
        after = found.next_cursor ?? undefined
      } while (after !== undefined)
    }
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
})

/** The ports with the answers that a store cannot be brought to give. */
const reservedPorts = Effect.gen(function* () {
  const secrets = yield* Secrets
  return Context.make(ApiKeys, withFailures(yield* ApiKeys, secrets)).pipe(
    Context.add(RateLimiter, withLimited(yield* RateLimiter)),
    Context.add(CurrentDirectory, withReservedUnits(yield* CurrentDirectory)),
    Context.add(Units, withReservedAttributes(yield* Units))
  )
})

/** The store is unavailable for two keys, and the sessions of another one have expired. */
const withFailures = (keys: ApiKeys["Service"], { hash }: Secrets["Service"]): ApiKeys["Service"] => {
  const unavailableHashes = [sandboxKeys.unavailable, sandboxKeys.browserUnavailable].map(({ key }) =>
    hash(Redacted.make(key))
  )
  return {
    ...keys,
    findByHash: (asked, now) =>
      unavailableHashes.includes(asked) ? Effect.fail(unavailable) : keys.findByHash(asked, now),
    findById: (id, now) =>
      id === sandboxKeys.expiredSessions.record.id ? Effect.succeed(undefined) : keys.findById(id, now)
  }
}

const unavailable = new Unavailable({ retry_after_s: 5 })

const withLimited = (limiter: RateLimiter["Service"]): RateLimiter["Service"] => ({
  take: (subject, limit, cost) =>
    limitedSubjects.includes(subject) && cost > 0
      ? Effect.succeed({ allowed: false, limit, remaining: 0, reset_s: 30, retry_after_s: 30 })
      : limiter.take(subject, limit, cost)
})

const limitedSubjects = [sandboxKeys.limited, sandboxKeys.browserLimited].map(({ record }) => `key:${record.id}`)
