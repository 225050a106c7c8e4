import { usePages } from "../../hooks/usePages.ts"
import { Time } from "../../kit/data/Time.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { CsvDownload } from "../../kit/tables/CsvDownload.tsx"
import { csvFields } from "../../kit/tables/csvFile.ts"
import { type Column, Table } from "../../kit/tables/Table.tsx"
import { path, query, setQuery } from "../../router/address.ts"
import { AuditFilters, readFilters } from "./AuditFilters.tsx"
import { type AuditEvent, phrases, restOf } from "./actions.ts"
import { nameOf, type People, useActorNames } from "./useActorNames.ts"
import { useOrganizationNames } from "./useOrganizationNames.ts"
import "./audit.css"

const route = "GET /v1/admin/audit"

/** @param organization the organization of the log; undefined for the whole instance */
export const AuditList = ({ organization }: { readonly organization?: string }) => {
  const people = useActorNames(organization)
  const organizations = useOrganizationNames(organization === undefined)
  const filter = { ...readFilters(), ...(organization !== undefined && { organization_id: organization }) }
  const pages = usePages(route, { query: { ...filter, limit: 20 } })
  return (
    <Section
      title="Events"
      lead="Newest first. Select a name or an id to see its events."
      actions={
        <CsvDownload
          name={`audit-${organization ?? "all"}`}
          route={route}
          input={{ query: filter }}
          rowsOf={({ events }) => events}
          columns={csvColumns}
        />
      }
    >
      <AuditFilters people={people} />
      <Table
        caption="Events"
        loaded={pages}
        rows={pages.data?.events}
        keyOf={({ id }) => id}
        empty={<Nothing />}
        columns={[
          { head: "Event", cell: (event) => <Sentence event={event} people={people} /> },
          { head: "About", cell: (event) => <Subject event={event} people={people} /> },
          ...(organization === undefined ? [organizationColumn(organizations)] : []),
          { head: "When", cell: ({ at }) => <Time at={at} /> }
        ]}
      />
    </Section>
  )
}

const csvColumns = [
  ...csvFields("at", "actor", "action", "subject", "organization_id", "id"),
  ["details", (event: AuditEvent) => JSON.stringify(event.details)] as const
]

const organizationColumn = (names: ReadonlyMap<string, string>): Column<AuditEvent> => ({
  head: "Organization",
  cell: ({ organization_id: id }) =>
    id !== undefined && <a href={`#/organizations/${id}/audit`}>{names.get(id) ?? <code>{id}</code>}</a>
})

const Sentence = ({ event, people }: { readonly event: AuditEvent; readonly people: People }) => {
  const rest = restOf(event)
  return (
    <>
      <a href={filterLink("actor", event.actor)}>{nameOf(event.actor, people)}</a>{" "}
      <span class="sentence">{phrases[event.action](event.details, nameOf(event.subject, people))}</span>
      {rest !== "" && <span class="secondary">{rest}</span>}
    </>
  )
}

/** Omitted if the sentence already names it. */
const Subject = ({ event, people }: { readonly event: AuditEvent; readonly people: People }) => {
  const { actor, organization_id, subject } = event
  if (subject === actor || subject === organization_id) return null
  return <a href={filterLink("subject", subject)}>{people.get(subject) ?? <code>{subject}</code>}</a>
}

/** Replaces all other filters, so that every match is shown. */
const filterLink = (name: string, value: string): string => `#${path.value}?${new URLSearchParams({ [name]: value })}`

const Nothing = () => (
  <>
    <p>No matching events.</p>
    {query.value.size > 0 && (
      <Button onClick={() => setQuery(Object.fromEntries([...query.value.keys()].map((name) => [name, undefined])))}>
        Show all events
      </Button>
    )}
  </>
)
