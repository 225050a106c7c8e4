import type { DataOf } from "../../client/Contract.ts"
import { type Loaded, useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { type EditionEvent, previousOf } from "./editionEvents.ts"

/** What the last imports and reverts did, and how to revert the last one. Empty without an import. */
export const Editions = ({ directory }: { readonly directory: Loaded<DataOf<"GET /v1/admin/directory">> }) => {
  const loaded = useLoad("GET /v1/admin/audit", {
    query: { action: "directory.imported,directory.reverted", limit: 5 }
  })
  const events = loaded.data?.events ?? []
  const [last] = events
  if (last === undefined && loaded.problem === undefined) return null
  return (
    <Section title="Imports" lead="The last imports and reverts, newest first.">
      <Table
        caption="Imports and reverts"
        loaded={loaded}
        rows={loaded.data?.events}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { head: "Event", cell: nameOf },
          { head: "When", cell: ({ at }) => <Time at={at} /> },
          { head: "Active units", isNumber: true, cell: ({ details }) => amountOf(details.active_units) },
          { head: "Difference", cell: (event) => countsOf(event, differences) },
          { head: "Changes before it", cell: (event) => countsOf(event, fates) }
        ]}
      />
      {last && <Revert previous={previousOf(events)} changes={directory.data?.changes ?? 0} />}
    </Section>
  )
}

interface RevertProps {
  /** Undefined if the log has no earlier edition. */
  readonly previous: string | undefined
  readonly changes: number
}

const Revert = ({ changes, previous }: RevertProps) => (
  <>
    <h3>Return to the previous edition</h3>
    {previous === undefined ? (
      <p>The audit log names no earlier edition. After a wrong import, import the right files under another name.</p>
    ) : (
      <>
        <p>
          This command makes <code>{previous}</code> current again. It shows both editions
          {changes > 0 && ` and which of the ${formatAmount(changes)} changes it would undo`}, and asks before it
          changes anything. Run it where you ran <code>postcode import</code>, with the same database or data folder.
        </p>
        <Copyable value="postcode directory revert" label="the command" isBlock />
      </>
    )}
  </>
)

const nameOf = ({ action, details }: EditionEvent) =>
  action === "directory.reverted" ? (
    <>
      Return from <code class="amount">{details.left_version}</code> to <code class="amount">{details.version}</code>
    </>
  ) : (
    <>
      Import of <code class="amount">{details.version}</code>
    </>
  )

const amountOf = (value: number | string | undefined) => (value === undefined ? "" : formatAmount(Number(value)))

const differences = ["added", "moved", "retired", "reactivated", "removed"]
/** What became of the units that had been changed. */
const fates = ["contained", "kept", "dropped", "superseded"]

/** `12 added, 3 retired`; without zeros. */
const countsOf = ({ details }: EditionEvent, names: ReadonlyArray<string>): string => {
  const counts = names.filter((name) => Number(details[name] ?? 0) > 0)
  if (counts.length > 0) return counts.map((name) => `${amountOf(details[name])} ${name}`).join(", ")
  return names.some((name) => name in details) ? "None" : ""
}
