/** A server that a test may stop and start, until the scope closes. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requirePostgres, settingsForTests, startPostgres } from "@postcode/drills/postgres"
import { Effect } from "effect"

/** For the server, the stop is a crash, and committed data must survive it. */
const settings = { ...settingsForTests, synchronous_commit: "on" }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "postcode-server-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
)

/** @param extra more settings, as in `postgresql.conf` */
export const ownServerWith = (extra: Readonly<Record<string, string>>) =>
  Effect.flatMap(folder, (folder) =>
    Effect.acquireRelease(
      Effect.promise(() => startPostgres({ folder, programs: requirePostgres(), settings: { ...settings, ...extra } })),
      ({ stop }) => Effect.promise(stop)
    )
  )

export const ownServer = ownServerWith({})
