/** Compares the feed of a replica with the rows of the database. */
import type { Wrong } from "../kit/LedgerRow.ts"
import type { ReplicaClient } from "./ReplicaClient.ts"
import type { StoredDirectory } from "./StoredDirectory.ts"

interface Page {
  readonly changes: ReadonlyArray<{
    readonly number: number
    readonly change: string
    readonly postcode: string
    readonly replaced_by?: string
  }>
  readonly version: string
  readonly latest: string
}

export const wrongFeed = async (client: ReplicaClient, { edition, rows }: StoredDirectory): Promise<Wrong> => {
  const wrong: Array<string> = []
  let next = 0
  for (let since = encodeURIComponent(edition); ; ) {
    const path = `/v1/directory/changes?since=${encodeURIComponent(since)}&limit=1000`
    const { changes, latest, version } = await client.call<Page>("GET", path)
    for (const { change, number, postcode, replaced_by } of changes) {
      const row = rows[next++]
      const found = [number, change, postcode, replaced_by].join()
      const expected = [row?.number, row?.kind, row?.unit.postcode, row?.unit.replaced_by].join()
      if (found !== expected) wrong.push(`port ${client.port}: ${found} in place of ${expected}`)
    }
    if (version === latest || changes.length === 0) break
    since = version
  }
  if (next !== rows.length) wrong.push(`port ${client.port}: ${next} changes in place of ${rows.length}`)
  return { "a feed that differs from the stored changes": wrong.slice(0, 20) }
}
