import { type Signal, useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { CheckField, SelectField, TextField } from "../../../kit/forms/Field.tsx"
import { Form } from "../../../kit/forms/Form.tsx"
import { call } from "../../../state/session.ts"
import { importColumns } from "./importColumns.ts"
import type { Check, Import } from "./useImport.ts"

export interface ReadingFormProps {
  readonly id: string
  readonly check: Check
  readonly onChecking: (started: Import) => void
}

/** How the files are read: which column is which, and what the files do not show. A change has them checked again. */
export const ReadingForm = ({ check, id, onChecking }: ReadingFormProps) => {
  const { header } = check.units
  const draft = useDraft(check)
  const isOther = useSignal(!check.is_readable)
  const names = header.map((name, at) => optionOf(header, name, at))
  const send = async () => {
    const body = { dry_run: true, ...taskOf(draft) }
    onChecking(await call("POST /v1/admin/directory/import/:id/run", { params: { id }, body }))
  }
  if (!isOther.value) {
    return (
      <div class="actions">
        <button type="button" class="button plain" onClick={() => (isOther.value = true)}>
          <span>Read them in another way</span>
        </button>
      </div>
    )
  }
  return (
    <Form submit="Check again" kind="plain" onSubmit={send}>
      {header.length > 0 && (
        <fieldset class="choice">
          <legend>Columns of the units</legend>
          <p class="hint">Choose those that are not found by their names. postcode, lat and lon are needed.</p>
          <div class="grid columns-of-units">
            {importColumns.map((column) => (
              <SelectField
                key={column}
                label={column}
                value={draft.columns[column] as Signal<string>}
                options={[["", "By its name, if it is there"], ...names]}
                isOptional
              />
            ))}
          </div>
        </fieldset>
      )}
      <SelectField label="Fields are separated by" value={draft.delimiter} options={delimiters} isOptional />
      <TextField
        label="Lines before the header of the units"
        type="number"
        min={0}
        value={draft.skip_lines}
        hint="Needed only if they are not found."
        isOptional
      />
      <CheckField
        label="Leave out units whose location cannot be right"
        hint="Those at 0,0, exchanged, outside, far from their place, or in another state."
        value={draft.drop_implausible}
      />
    </Form>
  )
}

const delimiters = [
  ["", "Found in the files"],
  ["comma", "Commas"],
  ["semicolon", "Semicolons"],
  ["tab", "Tabs"],
  ["bar", "Bars"]
] as const

/** A name that is there twice is chosen by its number. */
const optionOf = (header: ReadonlyArray<string>, name: string, at: number): readonly [string, string] => {
  const isUnique = name !== "" && header.indexOf(name) === header.lastIndexOf(name)
  return isUnique ? [name, name] : [String(at + 1), `${name || "Without a name"} (column ${at + 1})`]
}

type Draft = ReturnType<typeof useDraft>

const useDraft = ({ reading, units }: Check) => {
  const columns: Readonly<Record<string, Signal<string>>> = useMemo(() => ({}), [])
  for (const column of importColumns) {
    ;(columns as Record<string, Signal<string>>)[column] = useSignal(
      reading.columns[column] ??
        units.columns[column] ??
        units.header.find((name) => name.toLowerCase() === column) ??
        ""
    )
  }
  return {
    columns,
    delimiter: useSignal<string>(reading.delimiter ?? ""),
    skip_lines: useSignal(String(reading.skip_lines ?? "")),
    drop_implausible: useSignal(reading.drop_implausible)
  }
}

const taskOf = ({ columns, delimiter, drop_implausible, skip_lines }: Draft) => ({
  columns: Object.fromEntries(
    Object.entries(columns).flatMap(([column, { value }]) => (value === "" ? [] : [[column, value]]))
  ),
  drop_implausible: drop_implausible.value,
  ...(delimiter.value !== "" && { delimiter: delimiter.value as "comma" | "semicolon" | "tab" | "bar" }),
  ...(skip_lines.value !== "" && { skip_lines: Number(skip_lines.value) })
})
