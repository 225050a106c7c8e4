/** The sender of all mail of an instance. */
import { parseEmail } from "../Email.ts"

/** An address, with a name or an empty one. */
export interface Sender {
  readonly name: string
  readonly address: string
}

/** For messages, after "expected". */
export const senderForm =
  "an address such as postcode@example.ng, or a name with one: Postcode Gateway <postcode@example.ng>"

/** Reads an address, with or without a name. */
export const readSender = (text: string): Sender | undefined => {
  const [, name = "", bracketed = ""] = /^([^<>"\\]{0,100})<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = parseEmail(bracketed === "" ? text : bracketed)
  // Other scripts before the @ need an extension that not every server has.
  if (address === undefined || /[^!-~]/.test(address) || /\p{C}/u.test(name)) return undefined
  return { name: name.trim(), address }
}
