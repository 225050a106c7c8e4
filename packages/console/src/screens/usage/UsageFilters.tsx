import { dayOf } from "../../kit/data/days.ts"
import { SelectField, TextField, withOwn } from "../../kit/forms/Field.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { setQuery } from "../../router/address.ts"
import { queryField } from "../../router/queryField.ts"
import { may } from "../../state/permissions.ts"
import { lastDays, maximum_days, type Period } from "./period.ts"
import type { Grouping } from "./series.ts"
import type { KeyNames } from "./useKeyNames.ts"

/** The filters: grouping, key and period. */
export interface Report {
  readonly by: Grouping
  /** The key's id; empty for all keys. */
  readonly key: string
  readonly period: Period
}

/** The filters in the address. */
export const readReport = (): Report => {
  const { by, from, key, period, to } = fields
  const grouping = groupings.find(([name]) => name === by.value)?.[0] ?? "operation"
  const own = { from: from.value, to: to.value }
  const days = Number(period.value)
  const isOwn = period.value === "own" && own.from !== "" && own.to !== ""
  return {
    by: grouping,
    key: key.value,
    period: isOwn ? own : lastDays(days > 0 && days <= maximum_days ? days : 30, Date.now())
  }
}

const fields = {
  by: queryField("by", "operation"),
  from: queryField("from"),
  key: queryField("key"),
  period: queryField("period", "30"),
  to: queryField("to")
}

/** Custom days start as the selected period. */
const periodField = {
  get value() {
    return fields.period.value
  },
  set value(next) {
    const { from, to } = readReport().period
    setQuery(next === "own" ? { period: next, from, to } : { period: next, from: undefined, to: undefined })
  }
}

const groupings: ReadonlyArray<readonly [Grouping, string]> = [
  ["operation", "Operation"],
  ["level", "Level"],
  ["key", "Key"],
  ["status", "Status"]
]

/** Selects the period and key; the address has the filters. */
export const UsageFilters = ({ names }: { readonly names: KeyNames }) => {
  const today = dayOf(Date.now())
  const chosen = fields.key.value
  return (
    <Filters label="What is shown">
      <SelectField label="Days" value={periodField} options={periods} />
      {fields.period.value === "own" && (
        <>
          <TextField label="First day" type="date" max={today} value={fields.from} />
          <TextField label="Last day" type="date" max={today} value={fields.to} />
        </>
      )}
      <SelectField label="Split by" value={fields.by} options={groupings} />
      {(may("listKeys") || chosen !== "") && (
        <SelectField label="Keys" value={fields.key} options={withOwn([["", "All keys"], ...names], chosen)} />
      )}
    </Filters>
  )
}

const periods = [
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
  ["own", "Other days"]
] as const
