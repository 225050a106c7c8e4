import { useMemo } from "preact/hooks"
import { type Loaded, useLoad } from "../../hooks/useLoad.ts"
import { formatAmount } from "../../kit/data/Amount.tsx"
import { day_ms, dayName, dayOf } from "../../kit/data/days.ts"
import { reasonOf } from "../../kit/data/reasonOf.ts"
import { localHour, Time } from "../../kit/data/Time.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { Table } from "../../kit/tables/Table.tsx"
import { environment, environmentNames } from "../../state/environment.ts"
import type { OrganizationState } from "./useOrganizationState.ts"

export interface ActivityProps {
  readonly organization: string
  readonly keys: OrganizationState["keys"]
}

/** Requests, credits and errors of this day and the day before, in UTC as they are counted, and the latest charged requests, in the selected environment. */
export const Activity = ({ keys, organization }: ActivityProps) => {
  const days = useMemo(() => ({ from: dayOf(Date.now() - day_ms), to: dayOf(Date.now()) }), [])
  const params = { id: organization }
  const usage = useLoad("GET /v1/admin/organizations/:id/usage", {
    params,
    query: { environment: environment.value, by: "status", ...days }
  })
  const ledger = useLoad("GET /v1/admin/organizations/:id/credits", {
    params,
    query: { environment: environment.value, limit: 20 }
  })
  const name = environmentNames[environment.value]
  const names = new Map(keys.data?.keys.map(({ id, name }) => [id, name]))
  return (
    <>
      <Section
        title={`${name} requests`}
        lead={`Usage is counted by day in UTC${localStart(days.to)}. The last minute may be missing.`}
        actions={<a href={`#/organizations/${organization}/usage`}>All usage</a>}
      >
        <WhenLoaded loaded={usage}>{({ usage }) => <Figures usage={usage} {...days} />}</WhenLoaded>
      </Section>
      <LatestRequests
        ledger={ledger}
        names={names}
        organization={organization}
        title={`Latest charged ${name.toLowerCase()} requests`}
      />
    </>
  )
}

/** When that day begins for the user; empty where it begins at midnight. */
const localStart = (day: string): string => {
  const hour = localHour(`${day}T00:00:00Z`)
  return hour.startsWith("00:00") ? "" : `, which begins at ${hour}`
}

type Rows = ReadonlyArray<{ readonly date: string; readonly requests: number; readonly credits: number }>

interface Sum {
  readonly requests: number
  readonly credits: number
  readonly errors: number
}

const sumOf = (rows: Rows, day: string): Sum => {
  const sum = { requests: 0, credits: 0, errors: 0 }
  for (const row of rows) {
    if (row.date !== day) continue
    sum.requests += row.requests
    sum.credits += row.credits
    if ("status" in row && Number(row.status) >= 400) sum.errors += row.requests
  }
  return sum
}

interface FiguresProps {
  readonly usage: Rows
  /** The day before, and this day. */
  readonly from: string
  readonly to: string
}

const Figures = ({ from, to, usage }: FiguresProps) => {
  const [before, now] = [sumOf(usage, from), sumOf(usage, to)]
  return (
    <dl class="figures">
      {figures.map(([name, label]) => (
        <div key={name}>
          <dt>
            {label} on {dayName(to)}
          </dt>
          <dd>
            <strong>{formatAmount(now[name])}</strong>
            <span class="secondary">
              {formatAmount(before[name])} on {dayName(from)}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

const figures = [
  ["requests", "Requests"],
  ["credits", "Credits"],
  ["errors", "Errors"]
] as const

type Ledger = Loaded<{
  readonly entries: ReadonlyArray<{
    readonly id: string
    readonly amount: number
    readonly reason: string
    readonly reference: string
    readonly key_id: string | null
    readonly level: 1 | 2 | 3 | 4 | 5 | null
    readonly created_at: string
  }>
}>

interface LatestRequestsProps {
  readonly ledger: Ledger
  readonly names: ReadonlyMap<string, string>
  readonly organization: string
  readonly title: string
}

const LatestRequests = ({ ledger, names, organization, title }: LatestRequestsProps) => (
  <Section title={title} lead="Free requests are not in this list.">
    <Table
      caption={title}
      loaded={{ ...ledger }}
      rows={ledger.data?.entries.filter(({ key_id }) => key_id !== null).slice(0, 5)}
      keyOf={({ id }) => id}
      empty={
        <p>
          No request was charged yet. <a href={`#/organizations/${organization}/try`}>Send one from the console.</a>
        </p>
      }
      columns={[
        { head: "Request", cell: reasonOf },
        { head: "Key", cell: ({ key_id }) => names.get(key_id ?? "") ?? key_id },
        { head: "When", cell: ({ created_at }) => <Time at={created_at} /> },
        {
          head: "Request id",
          cell: ({ reference }) => (
            <a href={`#/organizations/${organization}/credits?reference=${encodeURIComponent(reference)}`}>
              <code>{reference}</code>
            </a>
          )
        },
        { head: "Credits", isNumber: true, cell: ({ amount }) => formatAmount(-amount) }
      ]}
    />
  </Section>
)
