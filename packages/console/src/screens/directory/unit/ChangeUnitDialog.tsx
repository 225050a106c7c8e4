import { type AttributeName, attributeEntry, attributeNames, attributeValue } from "@postcode/core/UnitAttributes"
import { changeLimits } from "@postcode/gateway/InputLimits"
import { type Signal, useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { FormDialog } from "../../../kit/dialogs/FormDialog.tsx"
import { SelectField, TextField } from "../../../kit/forms/Field.tsx"
import { call } from "../../../state/session.ts"
import type { Unit, UnitAttributes, UnitChange, UnitChangeKind } from "./unit.ts"

export interface ChangeUnitDialogProps {
  readonly kind: UnitChangeKind
  readonly postcode: string
  /** The present state; undefined for a unit to add. */
  readonly unit: Unit | undefined
  readonly onDone: () => void
}

/** Asks for what a change needs, says what it means, and makes it. */
export const ChangeUnitDialog = ({ kind, onDone, postcode, unit }: ChangeUnitDialogProps) => {
  const { isDangerous, meaning, submit, title } = texts[kind]
  const draft = useDraft(unit)
  const reason = useSignal("")
  // One reference a dialog: if an answer is lost and the form is sent again, the change is not made twice.
  const reference = useMemo(() => `console-${crypto.randomUUID().slice(-12)}`, [])
  const send = async () => {
    const body = { reason: reason.value, reference, changes: [changeOf(kind, postcode, draft, unit)] }
    const { applied, version } = await call("POST /v1/admin/directory/changes", { body })
    onDone()
    return applied === 0
      ? "Nothing changed: the unit already had these values"
      : `${postcode} was changed. The directory is now ${version}`
  }
  return (
    <FormDialog title={title(postcode)} submit={submit} kind={isDangerous ? "danger" : "primary"} onSubmit={send}>
      <p>{meaning}</p>
      {(kind === "add" || kind === "move") && (
        <>
          <TextField name="lat" label="Latitude" hint="WGS 84 degrees, such as 6.5984." value={draft.lat} />
          <TextField name="lng" label="Longitude" value={draft.lng} />
        </>
      )}
      {kind === "replace" && (
        <TextField
          name="replaced_by"
          label="Successor"
          hint="The postcode that takes its place."
          value={draft.successor}
        />
      )}
      {(kind === "add" || kind === "set") && <AttributeFields draft={draft} />}
      <TextField
        name="reason"
        label="Reason"
        hint="For the audit log and the history of the unit."
        value={reason}
        maxLength={changeLimits.reason}
      />
      <p class="muted">
        The change is visible everywhere within a second. The audit log records it under your account.
      </p>
    </FormDialog>
  )
}

const AttributeFields = ({ draft }: { readonly draft: Draft }) => (
  <>
    {attributeNames.map((name) => {
      const { label, type } = attributeEntry(name)
      return type === "flag" ? (
        <SelectField key={name} label={label} value={draft[name]} options={flagOptions} isOptional />
      ) : (
        <TextField key={name} label={label} value={draft[name]} isOptional />
      )
    })}
  </>
)

const flagOptions = [
  ["", "Unknown"],
  ["true", "Yes"],
  ["false", "No"]
] as const

type Draft = Readonly<Record<keyof UnitAttributes | "lat" | "lng" | "successor", Signal<string>>>

const useDraft = (unit: Unit | undefined): Draft => {
  const [lng, lat] = unit?.point_geometry.coordinates ?? ["", ""]
  const known = unit?.attributes ?? {}
  const drafts = attributeNames.map((name) => [name, useSignal(String(known[name] ?? ""))])
  return {
    lat: useSignal(String(lat)),
    lng: useSignal(String(lng)),
    successor: useSignal(unit?.replaced_by ?? ""),
    ...(Object.fromEntries(drafts) as Record<AttributeName, Signal<string>>)
  }
}

const changeOf = (kind: UnitChangeKind, postcode: string, draft: Draft, unit: Unit | undefined): UnitChange => {
  // Text that is no number is sent as it is: the service says what is wrong with it.
  const point = { lat: numberOf(draft.lat.value), lng: numberOf(draft.lng.value) }
  switch (kind) {
    case "add":
      return { change: kind, postcode, ...point, attributes: attributesOf(draft, {}) }
    case "move":
      return { change: kind, postcode, ...point }
    case "replace":
      return { change: kind, postcode, replaced_by: draft.successor.value.trim() }
    case "set":
      return { change: kind, postcode, attributes: attributesOf(draft, unit?.attributes ?? {}) }
    case "retire":
    case "reactivate":
      return { change: kind, postcode }
  }
}

const numberOf = (text: string): number => {
  const number = Number(text)
  return text.trim() === "" || Number.isNaN(number) ? (text as unknown as number) : number
}

/** The attributes that differ from the known ones; an emptied one is removed. */
const attributesOf = (draft: Draft, known: UnitAttributes): NonNullable<UnitChange["attributes"]> =>
  Object.fromEntries(
    attributeNames.flatMap((name) => {
      const text = draft[name].value.trim()
      // Text that is no value is sent as it is, too.
      const value = text === "" ? undefined : (attributeValue(name, text) ?? text)
      return value === known[name] ? [] : [[name, value ?? null]]
    })
  )

interface Texts {
  readonly title: (postcode: string) => string
  readonly meaning: string
  readonly submit: string
  readonly isDangerous?: boolean
}

const texts: Readonly<Record<UnitChangeKind, Texts>> = {
  add: {
    title: (postcode) => `Add ${postcode}`,
    meaning: "The unit becomes active. Searches find it by code, by coordinates and, if it has an address, by address.",
    submit: "Add unit"
  },
  move: {
    title: (postcode) => `Move ${postcode}`,
    meaning:
      "Searches by coordinates find the unit only at the new point. Its address does not change: edit it separately.",
    submit: "Move unit"
  },
  retire: {
    title: (postcode) => `Retire ${postcode}?`,
    meaning:
      "Searches no longer find the unit, and lookup reports it as retired. The postcode is never reused for another unit. To undo this, reactivate the unit.",
    submit: "Retire unit",
    isDangerous: true
  },
  replace: {
    title: (postcode) => `Replace ${postcode}?`,
    meaning:
      "The unit is retired, and lookup returns its successor. The successor does not change. To undo this, reactivate the unit.",
    submit: "Replace unit",
    isDangerous: true
  },
  reactivate: {
    title: (postcode) => `Reactivate ${postcode}?`,
    meaning: "Searches find the unit again at its coordinates. If it has a successor, lookup no longer returns it.",
    submit: "Reactivate unit"
  },
  set: {
    title: (postcode) => `Edit ${postcode}`,
    meaning:
      "Lookups return the new attributes. Address search finds the unit by a new address within a minute. An empty field becomes unknown.",
    submit: "Save attributes"
  }
}
