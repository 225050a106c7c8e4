/** `postcode keys show`. */
import { Effect } from "effect"
import type { CommandFailure } from "../../ExitCode.ts"
import { type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { writeData, writeJson } from "../../Output.ts"
import { grouped } from "../../Progress.ts"
import { record } from "../../Table.ts"
import { chargedToday } from "./manageKeys.ts"

/** Shows a key and its recent use: before revoking it, an operator sees what will stop. */
export const showKey = (input: ManagementOptions & { readonly key: string }): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const params = { id: input.key }
    const [{ data: key }, { data: traffic }] = yield* manage(input, (api) =>
      Effect.all([api.getKey({ params }), api.keyTraffic({ params })])
    )
    if (input.json) return yield* writeJson({ ...key, traffic })
    yield* writeData(
      record([
        ["id", key.id],
        ["organization", key.organization_id],
        ["name", key.name],
        ["key", `${key.prefix}…`],
        ["kind", key.kind],
        ["environment", key.environment],
        ["scopes", key.scopes.join(", ")],
        ["level", key.max_level],
        ["origins", key.origins.join(", ")],
        ["requests a minute", key.rate_limit_per_minute],
        ["credits today", chargedToday(key)],
        ["status", key.status],
        ["created", key.created_at],
        ["last used", key.last_used_at],
        ["expires", key.expires_at],
        ["revoked", key.revoked_at],
        ["replaces", key.replaces],
        ["replaced by", key.replaced_by]
      ])
    )
    yield* writeData(
      `\n${record([
        ["traffic since", traffic.since],
        ["requests", grouped(traffic.requests)],
        ["refused", grouped(traffic.refused)],
        ["credits", grouped(traffic.credits)]
      ])}`
    )
  })
