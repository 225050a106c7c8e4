import { formatAmount } from "../../kit/data/Amount.tsx"
import { Time } from "../../kit/data/Time.tsx"
import { Table, type TableProps } from "../../kit/tables/Table.tsx"
import { type ApiKey, KeyBadge, keysPath, kindNames } from "./keyLabels.tsx"

/** The keys of one environment, each with a link to its page. */
export const KeysTable = (props: Pick<TableProps<ApiKey>, "empty" | "loaded" | "rows">) => (
  <Table
    {...props}
    caption="Keys"
    keyOf={({ id }) => id}
    columns={[
      {
        head: "Name",
        cell: ({ id, name, organization_id, prefix }) => (
          <>
            <a href={`#${keysPath(organization_id)}/${id}`}>{name}</a>
            <span class="secondary">
              <code>{prefix}…</code>
            </span>
          </>
        )
      },
      { head: "Kind", cell: ({ kind }) => kindNames[kind] },
      {
        head: "Access level",
        cell: ({ max_level, scopes }) => (scopes.includes("lookup") ? max_level : "Search only")
      },
      { head: "Status", cell: (apiKey) => <KeyBadge apiKey={apiKey} /> },
      { head: "Last used", cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : "Never") },
      { head: "Expires", cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : "Never") },
      { head: "Credits today", isNumber: true, cell: spentToday }
    ]}
  />
)

/** `12 of 500` */
export const spentToday = ({ credits_today = 0, daily_credit_limit }: ApiKey): string =>
  daily_credit_limit === undefined
    ? "No limit"
    : `${formatAmount(credits_today)} of ${formatAmount(daily_credit_limit)}`
