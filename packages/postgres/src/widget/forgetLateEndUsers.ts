/** What replicas stored of end users although the organization was closed meanwhile. */
import type { Unavailable } from "@postcode/gateway/Errors"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asking } from "../connection/Database.ts"
import { forgetSubjects } from "./Selections.ts"

/**
 * Removes subjects of selections that were accepted before the closing, and bookmarks of sessions that a replica had not
 * refused yet. Both come within seconds, so organizations that were closed in the last day are enough.
 */
export const forgetLateEndUsers: Effect.Effect<void, Unavailable, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const closed = yield* asking(sql<{ readonly id: string }>`SELECT id FROM postcode.organizations
    WHERE status = 'closed' AND status_changed_at > now() - interval '1 day'`)
  for (const { id } of closed) {
    yield* forgetSubjects(sql, id)
    yield* asking(sql`DELETE FROM postcode.own_bookmarks WHERE organization_id = ${id}`)
  }
})
