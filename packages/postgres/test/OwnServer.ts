/** A server that a test may stop and start, for as long as the scope is open. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requirePostgres, settingsForTests, startPostgres } from "@postcode/postgres/testing"
import { Effect } from "effect"

/** The stop is a crash to the server, and what was committed has to outlive it. */
const settings = { ...settingsForTests, synchronous_commit: "on" }

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "postcode-server-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
)

export const ownServer = Effect.flatMap(folder, (folder) =>
  Effect.acquireRelease(
    Effect.promise(() => startPostgres({ folder, programs: requirePostgres(), settings })),
    ({ stop }) => Effect.promise(stop)
  )
)
