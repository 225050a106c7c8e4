import { useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { announce } from "../../kit/feedback/announce.ts"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { csvFields, saveCsv, tableLine } from "../../kit/tables/csvFile.ts"
import { Table } from "../../kit/tables/Table.tsx"
import type { OrganizationParams } from "../../router/Screen.ts"
import { environment } from "../../state/environment.ts"
import { PeriodFields, readPeriod } from "../usage/PeriodFields.tsx"
import type { Period } from "../usage/period.ts"
import { type SelectionGroup, type SelectionRow, selectionsByDay, selectionsByLga, sources } from "./selectionGroups.ts"

/** What end users picked in the widget, by LGA and by day. */
export const SelectionsScreen = ({ params: { organization } }: OrganizationParams) => {
  const period = readPeriod()
  const query = { environment: environment.value, ...period }
  const loaded = useLoad("GET /v1/admin/organizations/:id/selections", { params: { id: organization }, query })
  const rows = loaded.data?.selections
  return (
    <div class="stack">
      <PageHeader
        title="Selections"
        lead={`Postcodes that end users selected in the widget with ${environment.value} keys, by day in UTC. Fewer than five per LGA, source and day are not shown.`}
      >
        {rows !== undefined && rows.length > 0 && <SelectionsCsv period={period} rows={rows} />}
      </PageHeader>
      <Filters label="Filter selections">
        <PeriodFields />
      </Filters>
      <WhenLoaded loaded={loaded} />
      {rows?.length === 0 && (
        <Section title="No selections in this period">
          <p class="empty">On no day did an LGA have five selections from one source.</p>
        </Section>
      )}
      {rows !== undefined && rows.length > 0 && (
        <>
          <Section title="By local government area">
            <Groups caption="Selections by local government area" head="LGA" groups={selectionsByLga(rows)} />
          </Section>
          <Section title="By day">
            <Groups caption="Selections by day" head="Day" groups={selectionsByDay(rows)} />
          </Section>
        </>
      )}
    </div>
  )
}

interface GroupsProps {
  readonly caption: string
  readonly head: string
  readonly groups: ReadonlyArray<SelectionGroup>
}

const Groups = ({ caption, groups, head }: GroupsProps) => (
  <Table
    caption={caption}
    rows={groups}
    keyOf={({ name }) => name}
    empty={null}
    columns={[
      { head, cell: ({ label }) => label },
      ...sources.map(([source, words]) => ({
        head: words,
        cell: ({ counts }: SelectionGroup) => formatAmount(counts[source]),
        isNumber: true
      })),
      { head: "All", cell: ({ total }) => formatAmount(total), isNumber: true }
    ]}
  />
)

interface SelectionsCsvProps {
  readonly period: Period
  readonly rows: ReadonlyArray<SelectionRow>
}

/** All rows as a file, from the loaded data. */
const SelectionsCsv = ({ period: { from, to }, rows }: SelectionsCsvProps) => (
  <Button
    icon="down"
    onClick={() => {
      const lines = [tableLine(columns), ...rows.map((row) => tableLine(columns, row))]
      saveCsv(`selections-${environment.value}-${from}-${to}`, lines)
      announce("The file is ready")
    }}
  >
    CSV
  </Button>
)

const columns = csvFields("date", "lga", "lga_name", "source", "selections")
