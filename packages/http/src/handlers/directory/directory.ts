import type { UnitChange, UnitState } from "@postcode/core/Changes"
import { explainMalformed } from "@postcode/core/Corrections"
import { formatVersion } from "@postcode/core/Directory"
import { type Postcode, parse } from "@postcode/core/Postcode"
import { changeDirectory } from "@postcode/gateway/directory/changes/changeDirectory"
import type { AppliedBatch, UnitHistory } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { describeDirectory } from "@postcode/gateway/directory/describeDirectory"
import { getUnit } from "@postcode/gateway/directory/getUnit"
import { InvalidParameter } from "@postcode/gateway/Errors"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"
import { toPoint } from "../search/search.ts"

type Handlers = Pick<GroupHandlers<"management">, "changeDirectory" | "directory" | "getUnit">
type Payload = Parameters<Handlers["changeDirectory"]>[0]["payload"]

export const directoryHandlers = Effect.gen(function* () {
  const describe = yield* describeDirectory
  const { apply, check } = yield* changeDirectory
  const get = yield* getUnit

  const handlers: Handlers = {
    directory: ({ directory, manager }) => Effect.map(describe(directory, manager as Manager), asData),
    changeDirectory: ({ directory, manager, payload }) => {
      const { allow_removals: allowedRemovals, dry_run = false, reason, reference } = payload
      const requested = { reason, reference, allowedRemovals, changes: payload.changes.map(toChange) }
      const { activeSize: active_units, changes, version: edition } = directory
      if (!dry_run) return Effect.map(apply(requested, active_units, manager as Manager), toResult)
      return Effect.map(check(requested, manager as Manager), (outcome) => {
        if (outcome._tag === "Applied") {
          const { removals = 0 } = outcome
          return { data: { ...toResult(outcome).data, ...(removals > 0 && { removals, active_units }) } }
        }
        const version = formatVersion({ edition, changes })
        const faults = outcome._tag === "Refused" ? outcome.faults : []
        return { data: { valid: false, version, applied: 0, unchanged: 0, repeated: false, faults } }
      })
    },
    getUnit: ({ directory, manager, params: { postcode } }) => {
      const parsed = parse(postcode)
      if (parsed.ok) return Effect.map(get(parsed.postcode, manager as Manager), toDetails(parsed.postcode))
      const message = `postcode: ${explainMalformed(directory, postcode, parsed.error)}`
      return Effect.fail(new InvalidParameter({ parameter: "postcode", message }))
    }
  }
  return handlers
})

const toResult = ({ applied, repeated, unchanged, version }: AppliedBatch) => ({
  data: { valid: true, version: formatVersion(version), applied, unchanged, repeated, faults: [] }
})

/** Core finds the faults of the values, so a malformed postcode stays as it is. */
const toChange = ({ attributes, lat, lng: lon, postcode, replaced_by, ...change }: Payload["changes"][number]) =>
  ({
    ...change,
    postcode: canonical(postcode),
    ...((lat !== undefined || lon !== undefined) && { coordinate: { lat, lon } }),
    ...(replaced_by !== undefined && { replaced_by: canonical(replaced_by) }),
    ...(attributes !== undefined && { attributes })
  }) as UnitChange

const canonical = (text: string): Postcode => {
  const parsed = parse(text)
  return parsed.ok ? parsed.postcode : (text as Postcode)
}

const toDetails =
  (postcode: Postcode) =>
  ({ events, unit }: UnitHistory) => ({
    data: {
      postcode,
      unit: unit === undefined ? null : toState(unit),
      history: events.map(({ actor, at, edition, kind, number, reason, reference, unit }) => ({
        version: formatVersion({ edition, changes: number }),
        change: kind,
        at,
        actor,
        reason,
        reference,
        ...toState(unit)
      }))
    }
  })

const toState = ({ active, attributes, coordinate, replaced_by }: UnitState) => ({
  point_geometry: toPoint(coordinate),
  status: active ? ("active" as const) : ("retired" as const),
  ...(replaced_by !== undefined && { replaced_by }),
  attributes
})
