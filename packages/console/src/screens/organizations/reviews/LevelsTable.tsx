import { type AccessLevel, accessLevels } from "@postcode/core/AccessLevel"
import { Badge } from "../../../kit/data/Badge.tsx"
import { addedAt } from "../../../kit/data/levels.ts"
import { Table } from "../../../kit/tables/Table.tsx"

export interface LevelsTableProps {
  readonly granted: AccessLevel
  /** The requested levels. */
  readonly pending: ReadonlyArray<AccessLevel>
}

/** All levels, what each adds, and whether it is granted. */
export const LevelsTable = ({ granted, pending }: LevelsTableProps) => (
  <Table
    caption="Access levels"
    rows={accessLevels}
    keyOf={String}
    empty={null}
    columns={[
      { head: "Access level", cell: (level) => `Level ${level}` },
      { head: "Adds", cell: addedAt },
      {
        head: "Granted",
        cell: (level) => {
          if (level <= granted) return <Badge tone="good">Granted</Badge>
          return pending.includes(level) ? <Badge tone="warning">Requested</Badge> : <Badge tone="plain">No</Badge>
        }
      }
    ]}
  />
)
