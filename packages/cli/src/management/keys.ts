/** `postcode keys`. */
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { KeyKind, Scope } from "@postcode/core/ApiKey"
import type { Environment } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { say, writeData, writeJson } from "../Output.ts"
import { record, table } from "../Table.ts"
import { type ConnectionOptions, given, manage } from "./ManagementApi.ts"
import { fetchPages, hintAtNextPage, type PageOptions } from "./Pages.ts"

interface Options extends ConnectionOptions {
  readonly json: boolean
}

export const listKeys = (
  input: Options & PageOptions & { readonly organization: string }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const data = yield* manage(input, (api) =>
      fetchPages("keys", input, (query) =>
        Effect.map(api.listKeys({ params: { id: input.organization }, query }), (answer) => answer.data)
      )
    )
    if (input.json) return yield* writeJson(data)
    if (data.keys.length === 0)
      return say(`no keys yet: postcode keys create ${input.organization} --name NAME makes one`)
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
          { title: "LAST USED", cell: ({ last_used_at }) => last_used_at }
        ],
        data.keys
      )
    )
    hintAtNextPage(data.next_cursor)
  })

export const createKey = (
  input: Options & {
    readonly organization: string
    readonly name: string
    readonly kind: KeyKind
    readonly environment: Environment
    readonly scopes: ReadonlyArray<Scope>
    readonly max_level: AccessLevel
    readonly origins: ReadonlyArray<string> | undefined
    readonly rate_limit_per_minute: number | undefined
  }
): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { environment, kind, max_level, name, origins, rate_limit_per_minute, scopes } = input
    const { data } = yield* manage(input, (api) =>
      api.createKey({
        params: { id: input.organization },
        payload: { name, kind, environment, scopes, max_level, ...given({ origins, rate_limit_per_minute }) }
      })
    )
    if (input.json) return yield* writeJson(data)
    say(`key ${data.id}, up to level ${data.max_level}; it is shown this once:`)
    yield* writeData(`${data.secret}\n`)
  })

export const revokeKey = (input: Options & { readonly key: string }): Effect.Effect<void, CommandFailure> =>
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
