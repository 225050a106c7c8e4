/** Where the customers of an instance ask questions. */
import { Context } from "effect"
import { parseEmail } from "./Email.ts"

/**
 * The operator's address or web page for questions, in the canonical form of `readSupportContact`; undefined for none. It is
 * shown in the console, in mail, and in the errors that only the operator can help with.
 */
export const SupportContact = Context.Reference<string | undefined>("@postcode/gateway/SupportContact", {
  defaultValue: () => undefined
})

/** What a valid contact is, for messages. */
export const supportContactForm =
  "an email address, or an https address such as https://postcode.example/help; at most 300 characters"

/** Reads a contact; undefined if it is neither an email address nor a plain web address. */
export const readSupportContact = (text: string): string | undefined => {
  const trimmed = text.trim()
  return isPlainWebAddress(trimmed) ? trimmed : parseEmail(trimmed)
}

/** An https address of a public page, without a user name and without characters that would end it in a text. */
export const isPlainWebAddress = (text: string): boolean =>
  text.length <= 300 &&
  /^https:\/\/[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?(?:[/?#][\w.~:/?#@!$&*+,;=%-]*)?$/i.test(text)

/** A contact as the target of a link. */
export const supportLink = (contact: string): string => (contact.includes("://") ? contact : `mailto:${contact}`)
