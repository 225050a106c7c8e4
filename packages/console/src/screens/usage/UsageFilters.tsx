import { SelectField, withOwn } from "../../kit/forms/Field.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { queryField } from "../../router/queryField.ts"
import { may } from "../../state/permissions.ts"
import { PeriodFields, readPeriod } from "./PeriodFields.tsx"
import type { Period } from "./period.ts"
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
  const { by, key } = fields
  const grouping = groupings.find(([name]) => name === by.value)?.[0] ?? "operation"
  return { by: grouping, key: key.value, period: readPeriod() }
}

const fields = {
  by: queryField("by", "operation"),
  key: queryField("key")
}

const groupings: ReadonlyArray<readonly [Grouping, string]> = [
  ["operation", "Operation"],
  ["level", "Access level"],
  ["key", "Key"],
  ["status", "Status"]
]

/** Selects the period and key; the address has the filters. */
export const UsageFilters = ({ names }: { readonly names: KeyNames }) => {
  const chosen = fields.key.value
  return (
    <Filters label="Filter usage">
      <PeriodFields />
      <SelectField label="Group by" value={fields.by} options={groupings} />
      {(may("listKeys") || chosen !== "") && (
        <SelectField label="Keys" value={fields.key} options={withOwn([["", "All keys"], ...names], chosen)} />
      )}
    </Filters>
  )
}
