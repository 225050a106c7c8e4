/** Queries of widget sessions, counted for all replicas on PostgreSQL. */

import { SessionUses, useRetention_s } from "@postcode/gateway/widget/sessions/SessionUses"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking } from "../connection/Database.ts"

export const layerSessionUses: Layer.Layer<SessionUses, never, SqlClient> = Layer.effect(
  SessionUses,
  Effect.map(SqlClient, (sql) =>
    SessionUses.of({
      take: ({ id, organization_id }, use, limit) =>
        sql`INSERT INTO postcode.session_uses AS s (organization_id, session, use, uses, ends_at)
          VALUES (${organization_id}, ${id}, ${use}, 1, now() + make_interval(secs => ${useRetention_s}::integer))
          ON CONFLICT (organization_id, session, use) DO UPDATE SET uses = s.uses + 1
          WHERE s.uses < ${limit}::integer
          RETURNING uses`.pipe(
          Effect.map((rows) => rows.length > 0),
          asking
        )
    })
  )
)

/** Deletes the counts that are no longer needed. */
export const forgetSessionUses = Effect.flatMap(
  SqlClient,
  (sql) => sql`DELETE FROM postcode.session_uses WHERE ends_at < now()`
)
