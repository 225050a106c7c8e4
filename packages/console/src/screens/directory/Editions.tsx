import type { DataOf } from "../../client/Contract.ts"
import { type Loaded, useLoad } from "../../hooks/useLoad.ts"
import { counted, formatAmount } from "../../kit/data/Amount.tsx"
import { Badge } from "../../kit/data/Badge.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { type EditionEvent, largeShare, previousOf, removedShare } from "./editionEvents.ts"

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
          {
            head: "Difference",
            cell: (event) => (
              <>
                {countsOf(event, differences)}
                <RemovedShare event={event} />
              </>
            )
          },
          { head: "Your own changes", cell: (event) => countsOf(event, fates) }
        ]}
      />
      <p class="muted">
        Your own changes are units that operators had changed before the import. Those in the edition have the same
        values there. Those replaced by it have other values there. The others were kept or dropped, as selected at the
        import.
      </p>
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
          {changes > 0 && ` and which of ${counted(changes, "change")} it would undo`}, and asks before it changes
          anything. Run it where you ran <code>postcode import</code>, with the same database or data folder.
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

/** Warns of an import that needed a permission for what it removed and retired. */
const RemovedShare = ({ event }: { readonly event: EditionEvent }) => {
  const share = removedShare(event)
  return (
    share > largeShare && (
      <>
        {" "}
        <Badge tone="warning">{`${Math.round(share * 100)} % of all units removed or retired`}</Badge>
      </>
    )
  )
}

type Counts = ReadonlyArray<readonly [name: string, words: string]>

const differences: Counts = ["added", "moved", "retired", "reactivated", "removed"].map((name) => [name, name])
/** What became of the units that had been changed. */
const fates: Counts = [
  ["contained", "in the edition"],
  ["kept", "kept"],
  ["dropped", "dropped"],
  ["superseded", "replaced by it"]
]

/** `12 added, 3 retired`; without zeros. */
const countsOf = ({ details }: EditionEvent, counts: Counts): string => {
  const found = counts.filter(([name]) => Number(details[name] ?? 0) > 0)
  if (found.length > 0) return found.map(([name, words]) => `${amountOf(details[name])} ${words}`).join(", ")
  return counts.some(([name]) => name in details) ? "None" : ""
}
