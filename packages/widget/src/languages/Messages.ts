import type { messages as later } from "./en.ts"

/**
 * The English messages that a picker needs before it is used for the first time. `{…}` is a placeholder; `one|many` is a singular
 * and a plural, chosen by the number `{n}`.
 */
export const english = {
  postcode: "Address or postcode",
  hint: "Type an address, a place or a postcode.",
  locate: "Use my location",
  saved: "Use a saved postcode",
  unlisted: "My address is not listed",
  picked: "Selected",
  chosen: "Selected: {code}",
  change: "Change",
  offline: "No connection. Type your address or postcode; the form keeps it.",
  required: "Please choose a postcode.",
  incomplete: "Please choose a suggestion, or “My address is not listed”."
}

/** The messages by name; `{…}` is a placeholder. */
export type Messages = Readonly<Record<keyof typeof english | keyof typeof later, string>>

/** Fills a message's placeholders, in its singular or plural form. */
export const fill = (message: string, values: Readonly<Record<string, string | number>>): string => {
  const [one = "", many = one] = message.split("|")
  return (values.n === 1 ? one : many).replace(/\{(\w+)\}/g, (blank, name) => String(values[name] ?? blank))
}
