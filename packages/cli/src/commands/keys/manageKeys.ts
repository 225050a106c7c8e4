/** `postcode keys`. */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { KeyKind, Overlap, Scope } from "@postcode/core/ApiKey"
import type { Environment } from "@postcode/core/Credits"
import { Clock, Effect } from "effect"
import { commandName } from "../../CommandName.ts"
import type { CommandFailure } from "../../ExitCode.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { fetchPages, type PageOptions, printNextPageHint } from "../../management/Pages.ts"
import { say, writeData, writeJson } from "../../Output.ts"
import { grouped } from "../../Progress.ts"
import { record, table } from "../../Table.ts"

/** `postcode keys list` */
export const listKeys = (
  input: ManagementOptions & PageOptions & { readonly organization: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const data = yield* manage(input, (api) =>
      fetchPages("keys", input, (query) =>
        Effect.map(api.listKeys({ params: { id: input.organization }, query }), (answer) => answer.data)
      )
    )
    if (input.json) return yield* writeJson(data)
    if (data.keys.length === 0)
      return say(`no keys yet: ${commandName()} keys create ${input.organization} --name NAME makes one`)
    yield* writeData(
      table(
        [
          { title: "ID", cell: ({ id }) => id },
          { title: "NAME", cell: ({ name }) => name },
          { title: "KEY", cell: ({ prefix }) => `${prefix}…` },
          { title: "KIND", cell: ({ kind }) => kind },
          { title: "ENV", cell: ({ environment }) => environment },
          { title: "SCOPES", cell: ({ scopes }) => scopes.join(",") },
          { title: "LEVEL", cell: ({ max_level }) => max_level, align: "right" },
          { title: "STATUS", cell: ({ status }) => status },
          { title: "EXPIRES", cell: ({ expires_at }) => expires_at },
          { title: "TODAY", cell: chargedToday, align: "right" },
          { title: "LAST USED", cell: ({ last_used_at }) => last_used_at }
        ],
        data.keys
      )
    )
    printNextPageHint(data.next_cursor)
  })

/** `120 of 500` credits. */
export const chargedToday = (key: { readonly credits_today?: number; readonly daily_credit_limit?: number }) =>
  key.daily_credit_limit === undefined ? undefined : `${key.credits_today ?? 0} of ${key.daily_credit_limit}`

/** `postcode keys create`: the secret alone goes to standard output. */
export const createKey = (
  input: ManagementOptions & {
    readonly organization: string
    readonly name: string
    readonly kind: KeyKind
    readonly environment: Environment
    readonly scopes: ReadonlyArray<Scope>
    readonly max_level: AccessLevel
    readonly origins: ReadonlyArray<string> | undefined
    readonly rate_limit_per_minute: number | undefined
    readonly daily_credit_limit: number | undefined
    readonly expires_in_ms: number | undefined
  }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { daily_credit_limit, environment, expires_in_ms, kind, max_level, name, origins, scopes } = input
    const now_ms = yield* Clock.currentTimeMillis
    const expires_at = expires_in_ms === undefined ? undefined : new Date(now_ms + expires_in_ms).toISOString()
    const limits = { origins, rate_limit_per_minute: input.rate_limit_per_minute, daily_credit_limit, expires_at }
    const { data } = yield* manage(input, (api) =>
      api.createKey({
        params: { id: input.organization },
        payload: { name, kind, environment, scopes, max_level, ...given(limits) }
      })
    )
    if (input.json) return yield* writeJson(data)
    const spending =
      data.daily_credit_limit === undefined ? "" : `, at most ${grouped(data.daily_credit_limit)} credits a day`
    const end = data.expires_at === undefined ? "" : `, until ${data.expires_at}`
    say(`key ${data.id}, up to level ${data.max_level}${spending}${end}; it is shown this once:`)
    yield* writeData(`${data.secret}\n`)
  })

/** `postcode keys rotate`: the secret alone goes to standard output. */
export const rotateKey = (
  input: ManagementOptions & { readonly key: string; readonly overlap: Overlap }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { key, overlap } = input
    const { data } = yield* manage(input, (api) => api.rotateKey({ params: { id: key }, payload: { overlap } }))
    if (input.json) return yield* writeJson(data)
    const end = overlap === "now" ? "is revoked" : `goes on until ${data.replaced_expires_at}`
    say(`key ${data.id} replaces ${key}, which ${end}; it is shown this once:`)
    yield* writeData(`${data.secret}\n`)
  })

/** `postcode keys revoke` */
export const revokeKey = (input: ManagementOptions & { readonly key: string }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { data } = yield* manage(input, (api) => api.revokeKey({ params: { id: input.key } }))
    if (input.json) return yield* writeJson(data)
    yield* writeData(
      record([
        ["id", data.id],
        ["revoked", data.revoked_at]
      ])
    )
  })
