import { dayOf } from "../../kit/data/days.ts"
import { SelectField, TextField } from "../../kit/forms/Field.tsx"
import { setQuery } from "../../router/address.ts"
import { queryField } from "../../router/queryField.ts"
import { lastDays, maximum_days, type Period } from "./period.ts"

/** The period in the address. */
export const readPeriod = (): Period => {
  const own = { from: fields.from.value, to: fields.to.value }
  const days = Number(fields.period.value)
  const isOwn = fields.period.value === "own" && own.from !== "" && own.to !== ""
  return isOwn ? own : lastDays(days > 0 && days <= maximum_days ? days : 30, Date.now())
}

const fields = {
  from: queryField("from"),
  period: queryField("period", "30"),
  to: queryField("to")
}

/** Custom days start as the selected period. */
const periodField = {
  get value() {
    return fields.period.value
  },
  set value(next) {
    const { from, to } = readPeriod()
    setQuery(next === "own" ? { period: next, from, to } : { period: next, from: undefined, to: undefined })
  }
}

/** Selects the period of a report. */
export const PeriodFields = () => {
  const today = dayOf(Date.now())
  return (
    <>
      <SelectField label="Days" value={periodField} options={periods} />
      {fields.period.value === "own" && (
        <>
          <TextField label="First day" type="date" max={today} value={fields.from} />
          <TextField label="Last day" type="date" max={today} value={fields.to} />
        </>
      )}
    </>
  )
}

const periods = [
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["90", "Last 90 days"],
  ["own", "Other days"]
] as const
