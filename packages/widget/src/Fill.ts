/** Fills fields of the page from a selection. Loaded if the page names fields; it imports no other chunk. */
import type { Choice, Names } from "./session/Search.ts"

/** The texts that a page can have filled in. */
export type FillName = "address" | "area" | "code" | "district" | "lga" | "locality" | "state" | "unit"

/** What a selection says, by name. Texts that are not known are absent. */
export const textsOf = (
  { address, code }: Pick<Choice, "address" | "code">,
  { lga, state }: Names
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const [stateCode, lgaCode, district, area, unit] = code.split("-")
  // `12 Allen Avenue, Ikeja, Lagos`: the street, perhaps a locality, then names that have fields of their own.
  const parts = (address?.split(", ") ?? []).filter((part) => part !== state && part !== lga)
  const texts: Readonly<Record<FillName, ReadonlyArray<string | null | undefined>>> = {
    address: parts.length > 1 ? [parts.slice(0, -1).join(", ")] : parts,
    area: [area],
    code: [code],
    district: [district],
    lga: [lga, lgaCode && `${stateCode}-${lgaCode}`, lgaCode],
    locality: parts.length > 1 ? parts.slice(-1) : [],
    state: [state, stateCode],
    unit: [unit]
  }
  const known = Object.entries(texts).map(([name, all]) => [name, all.filter((text) => !!text)] as const)
  return new Map(known as ReadonlyArray<readonly [string, ReadonlyArray<string>]>)
}

/**
 * Sets the fields that a template names, `state:#state lga:#lga`, and reports each as if the user had typed it. A select
 * gets the option whose text or value is one of the texts. What is unknown leaves its field as it is.
 *
 * @param isCurrent whether the choice is still the selection
 */
export const fillFields = (
  root: ParentNode,
  template: string,
  choice: Choice,
  names: Names,
  isCurrent: () => boolean
): void => {
  if (!isCurrent()) return
  const texts = textsOf(choice, names)
  for (const pair of template.trim().split(/\s+/)) {
    const [name = "", ...selector] = pair.split(":")
    const field = selector.length > 0 ? root.querySelector(selector.join(":")) : null
    const known = texts.get(name) ?? []
    if (field instanceof HTMLSelectElement) set(field, optionOf(field, known))
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) set(field, known[0])
  }
}

const optionOf = ({ options }: HTMLSelectElement, texts: ReadonlyArray<string>): string | undefined => {
  const isSame = (a: string, b: string) => a.trim().toLowerCase() === b.toLowerCase()
  for (const text of texts) {
    const option = [...options].find((one) => isSame(one.text, text) || isSame(one.value, text))
    if (option) return option.value
  }
  return undefined
}

const set = (field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement, text: string | undefined): void => {
  if (text === undefined || field.value === text) return
  // React replaces the property of the element by one that ignores changes by scripts.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, text)
  for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }))
}
