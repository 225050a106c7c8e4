/** Fills fields of the page from a selection. Loaded if the page names fields; it imports no other chunk. */
import type { Choice, Names } from "./session/Search.ts"

/** What a field of the page can have, the best first. */
type Texts = ReadonlyArray<string | null | undefined>

/**
 * What a selection says, by name. Texts that are not known are empty or absent. The part of the building stands before the
 * street, if the page has no field for it.
 */
export const textsOf = (
  { address, code, subpremise }: Pick<Choice, "address" | "code" | "subpremise">,
  { lga, state }: Names,
  hasSubpremise: boolean
): Readonly<Record<string, Texts>> => {
  const [stateCode, lgaCode, district, area, unit] = code.split("-")
  // `12 Allen Avenue, Ikeja, Lagos`: the street, perhaps a locality, then names that have fields of their own.
  const parts = (address?.split(", ") ?? []).filter((part) => part !== state && part !== lga)
  const locality = parts.length > 1 ? parts.pop() : ""
  if (subpremise && !hasSubpremise) parts.unshift(subpremise)
  return {
    address: [parts.join(", ")],
    area: [area],
    district: [district],
    lga: [lga, lgaCode && `${stateCode}-${lgaCode}`, lgaCode],
    locality: [locality],
    state: [state, stateCode],
    subpremise: [subpremise],
    unit: [unit]
  }
}

/** What the form has of the picker itself, also where nothing is selected. */
export type Stated = Readonly<Record<"code" | "status" | "text", string>>

/**
 * Sets the fields that a template names, `state:#state lga:#lga`, and reports each as if the user had typed it. A select
 * gets the option whose text or value is one of the texts. What is unknown leaves its field as it is, unless it was filled
 * from another selection.
 *
 * @param choice the selection; without one, only the fields of what the form has are set
 */
export const fillFields = (
  root: ParentNode,
  template: string,
  stated: Stated,
  choice: Choice | undefined,
  names: Names
): void => {
  const fields = [...template.matchAll(/(\w+):(\S+)/g)].map(
    ([, name = "", selector = ""]) => [name, root.querySelector<Field>(selector)] as const
  )
  const texts =
    choice &&
    textsOf(
      choice,
      names,
      fields.some(([name, field]) => field && name === "subpremise")
    )
  for (const [name, field] of fields) {
    const now = (stated as Readonly<Record<string, string>>)[name]
    const known = now === undefined ? (texts?.[name]?.filter(Boolean) as Array<string> | undefined) : [now]
    if (known && field && "value" in field) {
      const text = field instanceof HTMLSelectElement ? optionOf(field, known) : known[0]
      set(field, text ?? (filled.get(field) === field.value ? "" : field.value))
      if (text !== undefined) filled.set(field, field.value)
    }
  }
}

/** Controls of HTML, and custom elements that are like them. */
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What each field of the page had after it was filled. */
const filled = new WeakMap<Field, string>()

const optionOf = ({ options }: HTMLSelectElement, texts: ReadonlyArray<string>): string | undefined => {
  const found = texts.map((text) =>
    [...options].find((option) => [option.text, option.value].map(plain).includes(plain(text)))
  )
  return found.find(Boolean)?.value
}

/** Shops write Lagos State, Ikeja LGA, Ifako Ijaiye, and several names of the capital. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]|(state|lga)\P{L}*$/gu, "")
    .replace(/^(abuja|fct|federalcapital(territory)?)+$/, "fct")

const set = (field: Field, text: string): void => {
  if (field.value === text) return
  // React replaces the property of the element by one that ignores changes by scripts.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text)
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }))
}
