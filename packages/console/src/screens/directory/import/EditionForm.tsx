import { importLimits } from "@postcode/gateway/InputLimits"
import { signal, useSignal } from "@preact/signals"
import { Problem } from "../../../client/Problem.ts"
import { counted, formatAmount } from "../../../kit/data/Amount.tsx"
import { Facts } from "../../../kit/data/Facts.tsx"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { CheckField, ChoiceField, TextField } from "../../../kit/forms/Field.tsx"
import { Form } from "../../../kit/forms/Form.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { call } from "../../../state/session.ts"
import type { Check, Import } from "./useImport.ts"

export interface EditionFormProps {
  readonly id: string
  readonly check: Check
  /** Kept while the import runs, in case it fails. */
  readonly draft: EditionDraft
  readonly onImporting: (started: Import) => void
}

/** What the operator has entered so far. */
export type EditionDraft = ReturnType<typeof makeEditionDraft>

/** Nothing is entered yet. */
export const makeEditionDraft = () => ({
  name: signal(""),
  date: signal(""),
  skips: signal(false),
  changes: signal<"keep" | "drop" | "">("")
})

/** What would change, and what the operator decides before it does. */
export const EditionForm = ({ check, draft, id, onImporting }: EditionFormProps) => {
  const { bad_rows, changed_units, difference, reading, removals } = check
  const { changes, date, name, skips } = draft
  const typed = useSignal("")
  const isWrong = useSignal(false)
  const send = async () => {
    if (bad_rows > 0 && !skips.value)
      throw invalid(`${counted(bad_rows, "bad row")}: leave them out, or mend the files`)
    isWrong.value = removals !== undefined && Number(typed.value.replace(/[\s,.]/g, "")) !== removals.count
    if (isWrong.value) return
    const body = {
      ...reading,
      skip_bad_rows: skips.value,
      data_version: name.value.trim(),
      ...(date.value !== "" && { data_date: date.value }),
      ...(removals && { allow_removals: removals.count }),
      ...(changes.value !== "" && { changes: changes.value })
    }
    onImporting(await call("POST /v1/admin/directory/import/:id/run", { params: { id }, body }))
  }
  return (
    <Section
      title="Import"
      lead="The edition becomes current in one step, on every replica. Until then, nothing changes."
    >
      {difference && <Facts class="facts counts" facts={countsOf(difference)} />}
      <Form submit="Import" onSubmit={send}>
        {bad_rows > 0 && (
          <CheckField
            label={`Leave out ${counted(bad_rows, "bad row")}`}
            hint="Otherwise the files are not imported."
            value={skips}
          />
        )}
        {changed_units !== undefined && changed_units.undone > 0 && (
          <ChoiceField
            label={`Changes of ${counted(changed_units.undone, "unit")} since the last import would be undone`}
            options={[
              ["keep", "Keep them", "They are applied to the new edition."],
              ["drop", "Drop them", "The new edition counts."]
            ]}
            value={changes}
          />
        )}
        {removals && (
          <>
            <Notice tone="warning" title="Much would be taken away">
              <p>It would {removals.description}. Check that the files are complete, and that coordinates are right.</p>
            </Notice>
            <TextField
              label={`Type ${formatAmount(removals.count)} to permit this`}
              value={typed}
              error={isWrong.value ? `Expected ${formatAmount(removals.count)}` : undefined}
            />
          </>
        )}
        <TextField
          name="data_version"
          label="Name of the edition"
          hint="Every version that clients see contains it, such as 2026-2."
          value={name}
          maxLength={importLimits.data_version}
        />
        <TextField name="data_date" label="Date" type="date" hint="By default, this day." value={date} isOptional />
      </Form>
    </Section>
  )
}

const invalid = (message: string) => new Problem({ status: 400, code: "invalid_parameter", message })

const countsOf = (difference: NonNullable<Check["difference"]>) =>
  (["added", "moved", "retired", "reactivated", "removed", "unchanged"] as const).map(
    (kind) => [`${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, formatAmount(difference[kind])] as const
  )
