import type { InputOf } from "../../client/Contract.ts"
import { usePages } from "../../hooks/usePages.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { reasonOf } from "../../kit/data/reasonOf.ts"
import { ExactTime, Time } from "../../kit/data/Time.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { SearchBox } from "../../kit/forms/SearchBox.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { CsvDownload } from "../../kit/tables/CsvDownload.tsx"
import { csvFields } from "../../kit/tables/csvFile.ts"
import { Table } from "../../kit/tables/Table.tsx"
import { path, query, setQuery } from "../../router/address.ts"
import { environment, environmentNames } from "../../state/environment.ts"
import { KeyName } from "../usage/KeyName.tsx"
import { useKeyNames } from "../usage/useKeyNames.ts"
import { ledgerChanges } from "./ledgerChanges.ts"

const route = "GET /v1/admin/organizations/:id/credits"

/** Ledger entries, newest first; only those of one request if the address names it. */
export const LedgerSection = ({ organization }: { readonly organization: string }) => {
  const reference = query.value.get("reference") ?? ""
  const input = {
    params: { id: organization },
    query: { environment: environment.value, ...(reference !== "" && { reference }) }
  }
  return (
    <Section
      title={`${environmentNames[environment.value]} ledger`}
      lead="Every change of the balance, newest first. Select test or live below the organization’s name."
      actions={
        <>
          <SearchBox name="reference" label="Request id or reference" placeholder="Request id" />
          <CsvDownload
            name={`ledger-${organization}-${environment.value}`}
            route={route}
            input={input}
            rowsOf={({ entries }) => entries}
            columns={csvColumns}
          />
        </>
      }
    >
      {reference !== "" && (
        <div class="actions">
          <span>
            Only entries of <Copyable value={reference} label="the reference" />
          </span>
          <Button onClick={() => setQuery({ reference: undefined })}>Show all</Button>
        </div>
      )}
      <Entries key={ledgerChanges.value} input={input} organization={organization} />
    </Section>
  )
}

const csvColumns = csvFields(
  "created_at",
  "amount",
  "balance_after",
  "reason",
  "level",
  "key_id",
  "reference",
  "note",
  "id"
)

interface EntriesProps {
  readonly organization: string
  readonly input: InputOf<typeof route>
}

const Entries = ({ input, organization }: EntriesProps) => {
  const pages = usePages(route, { ...input, query: { ...input.query, limit: 20 } })
  const names = useKeyNames(organization)
  const isNarrowed = input.query.reference !== undefined
  const archived = pages.data?.archived
  return (
    <>
      <Table
        caption="Ledger"
        loaded={pages}
        rows={pages.data?.entries}
        keyOf={({ id }) => id}
        empty={
          isNarrowed ? (
            <p>
              No {input.query.environment} entry has that reference. A free request has no entry. Check the other
              environment, too.
            </p>
          ) : (
            <p>No entries yet.</p>
          )
        }
        columns={[
          {
            head: "Description",
            cell: (entry) => (
              <>
                {reasonOf(entry)}
                {entry.note !== null && <span class="secondary">{entry.note}</span>}
                {entry.key_id !== null && (
                  <span class="secondary">
                    by <KeyName id={entry.key_id} names={names} organization={organization} />
                  </span>
                )}
              </>
            )
          },
          {
            head: "Reference",
            cell: ({ reference }) =>
              isNarrowed ? (
                <code>{reference}</code>
              ) : (
                <a href={`#${path.value}?reference=${encodeURIComponent(reference)}`}>
                  <code>{reference}</code>
                </a>
              )
          },
          {
            head: "When",
            cell: ({ created_at }) => (
              <span>
                <Time at={created_at} />
                <span class="secondary">
                  <ExactTime at={created_at} />
                </span>
              </span>
            )
          },
          {
            head: "Amount",
            cell: ({ amount }) => <span class={amount > 0 ? "added" : undefined}>{signed(amount)}</span>,
            isNumber: true
          },
          { head: "Balance", cell: ({ balance_after }) => formatAmount(balance_after), isNumber: true }
        ]}
      />
      {archived && pages.onNext === undefined && (
        <p class="muted">
          Entries before {archived.before} are in the operator’s archive: {formatAmount(archived.entries)}, with a
          balance of {formatAmount(archived.balance)} after the last one.
        </p>
      )}
    </>
  )
}

const signed = (amount: number): string =>
  amount < 0 ? `−${formatAmount(-amount)}` : `${amount > 0 ? "+" : ""}${formatAmount(amount)}`
