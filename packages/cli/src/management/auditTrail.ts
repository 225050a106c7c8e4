/** `postcode audit`. */
import type { AuditAction, AuditEvent } from "@postcode/core/ports/AuditLog"
import { Effect } from "effect"
import type { CommandFailure } from "../ExitCode.ts"
import { say, writeData, writeJson } from "../Output.ts"
import { table } from "../Table.ts"
import { type ConnectionOptions, given, manage } from "./ManagementApi.ts"
import { fetchPages, hintAtNextPage, type PageOptions } from "./Pages.ts"

interface AuditOptions extends ConnectionOptions, PageOptions {
  readonly json: boolean
  readonly organization: string | undefined
  readonly action: AuditAction | undefined
}

export const showAuditTrail = (input: AuditOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const filter = given({ organization_id: input.organization, action: input.action })
    const data = yield* manage(input, (api) =>
      fetchPages("events", input, (query) =>
        Effect.map(api.audit({ query: { ...filter, ...query } }), (answer) => answer.data)
      )
    )
    if (input.json) return yield* writeJson(data)
    if (data.events.length === 0) return say("nothing of that kind has happened yet")
    yield* writeData(
      table<AuditEvent>(
        [
          { title: "AT", cell: ({ at }) => at },
          { title: "WHO", cell: ({ actor }) => actor },
          { title: "ACTION", cell: ({ action }) => action },
          { title: "SUBJECT", cell: ({ subject }) => subject },
          { title: "ORGANIZATION", cell: ({ organization_id }) => organization_id },
          { title: "DETAILS", cell: ({ details }) => describeDetails(details) }
        ],
        data.events
      )
    )
    hintAtNextPage(data.next_cursor)
  })

const describeDetails = (details: AuditEvent["details"]): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ")
