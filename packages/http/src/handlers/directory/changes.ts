import { formatVersion } from "@postcode/core/Directory"
import { defaultChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { readChanges } from "@postcode/gateway/directory/changes/readChanges"
import { Effect } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { toPoint } from "../search/search.ts"

export const changesHandlers = Effect.gen(function* () {
  const read = yield* readChanges

  const handlers: GroupHandlers<"directory"> = {
    changes: ({ query: { coordinates = false, limit = defaultChanges, since }, ...call }) =>
      Effect.map(read({ ...call, since, limit, coordinates }), ({ changes, latest, level, receipt, version }) => ({
        data: {
          changes: changes.map(({ coordinate, ...change }) =>
            coordinate === undefined ? change : { ...change, point_geometry: toPoint(coordinate) }
          ),
          version: formatVersion(version),
          latest: formatVersion(latest)
        },
        level,
        receipt
      }))
  }
  return handlers
})
