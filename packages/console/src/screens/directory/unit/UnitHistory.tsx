import { Badge } from "../../../kit/data/Badge.tsx"
import { Time } from "../../../kit/data/Time.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { Table } from "../../../kit/tables/Table.tsx"
import { nameOf, useActorNames } from "../../audit/useActorNames.ts"
import type { UnitChangeKind, UnitEvent } from "./unit.ts"

/** The changes of a unit since the edition that it came with. */
export const UnitHistory = ({ events }: { readonly events: ReadonlyArray<UnitEvent> }) => {
  const people = useActorNames(undefined)
  return (
    <Section title="History" lead="Changes since the edition that added the unit, newest first. Kept for one year.">
      <Table
        caption="History of the unit"
        rows={events}
        keyOf={({ change, version }) => `${version} ${change}`}
        empty="No changes since the edition."
        columns={[
          { head: "When", cell: ({ at }) => <Time at={at} /> },
          { head: "Change", cell: ({ change }) => <Badge tone={tones[change]}>{words[change]}</Badge> },
          { head: "Result", cell: stateAfter },
          { head: "Reason", cell: ({ reason }) => reason },
          { head: "Reference", cell: ({ reference }) => <code>{reference}</code> },
          { head: "By", cell: ({ actor }) => nameOf(actor, people) },
          { head: "Version", cell: ({ version }) => <code>{version}</code> }
        ]}
      />
    </Section>
  )
}

const stateAfter = ({ change, point_geometry, replaced_by, status }: UnitEvent): string => {
  if (replaced_by !== undefined) return `retired, replaced by ${replaced_by}`
  const [lon, lat] = point_geometry.coordinates
  return change === "add" || change === "move" ? `${status}, at ${lat}, ${lon}` : status
}

const words: Readonly<Record<UnitChangeKind, string>> = {
  add: "Added",
  move: "Moved",
  retire: "Retired",
  replace: "Replaced",
  reactivate: "Reactivated",
  set: "Attributes set"
}

const tones = {
  add: "good",
  move: "info",
  retire: "warning",
  replace: "warning",
  reactivate: "good",
  set: "plain"
} as const
