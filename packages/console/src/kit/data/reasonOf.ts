/** Ledger entries in words. */
import type { DataOf } from "../../client/Contract.ts"

type Entry = DataOf<"GET /v1/admin/organizations/:id/credits">["entries"][number]

/** `Lookup, level 2` */
export const reasonOf = ({ level, reason }: Pick<Entry, "level" | "reason">): string => {
  const words = reasons[reason] ?? reason
  return level === null ? words : `${words}, level ${level}`
}

const reasons: Readonly<Record<string, string>> = {
  address_batch: "Batch of address searches",
  directory_changes: "Directory changes",
  address_search: "Address search",
  adjustment: "Adjustment",
  grant: "Grant",
  lookup: "Lookup",
  lookup_batch: "Batch of lookups",
  opening: "Opening balance",
  refund: "Refund",
  widget_session: "Widget session"
}
