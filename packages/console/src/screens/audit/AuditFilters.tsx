import type { InputOf } from "../../client/Contract.ts"
import { useDebouncedText } from "../../hooks/useFieldText.ts"
import { day_ms } from "../../kit/data/days.ts"
import { SelectField, TextField, withOwn } from "../../kit/forms/Field.tsx"
import { Filters } from "../../kit/forms/Filters.tsx"
import { queryField } from "../../router/queryField.ts"
import { actionOptions, actionsIn } from "./actions.ts"
import type { People } from "./useActorNames.ts"

type AuditQuery = NonNullable<InputOf<"GET /v1/admin/audit">["query"]>

const fields = {
  action: queryField("action"),
  actor: queryField("actor"),
  subject: queryField("subject"),
  from: queryField("from"),
  to: queryField("to")
}

/** The filters in the address. */
export const readFilters = (): AuditQuery => {
  const { action, actor, from, subject, to } = fields
  const actions = actionsIn(action.value)
  return {
    ...(actions.length > 0 && { action: actions.join(",") }),
    ...(actor.value !== "" && { actor: actor.value }),
    ...(subject.value !== "" && { subject: subject.value }),
    ...(isDay(from.value) && { from: `${from.value}T00:00:00.000Z` }),
    ...(isDay(to.value) && { to: new Date(Date.parse(to.value) + day_ms).toISOString() })
  }
}

/** Filters the list of events; the address has the filters. */
export const AuditFilters = ({ people }: { readonly people: People }) => {
  const actors = [["", "Anyone"] as const, ...people]
  return (
    <Filters label="Filter events">
      <SelectField
        label="Type"
        value={fields.action}
        options={withOwn(actionOptions, fields.action.value)}
        isOptional
      />
      <SelectField label="Actor" value={fields.actor} options={withOwn(actors, fields.actor.value)} isOptional />
      <SubjectField />
      <TextField label="First day (UTC)" type="date" value={fields.from} isOptional />
      <TextField label="Last day (UTC)" type="date" value={fields.to} isOptional />
    </Filters>
  )
}

const SubjectField = () => (
  <TextField label="About (id)" type="search" value={useDebouncedText(fields.subject, pause_ms)} isOptional />
)

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** Long enough for typing an id. */
const pause_ms = 400
