/** What only the user can decide. An agent that corrects a postcode by itself sends a parcel to another door. */

import { quoted, quotedUnlessCode } from "./quoted.ts"

/** What results may offer instead of what was asked for. */
interface Offer {
  /** A likely correction of a postcode. */
  readonly did_you_mean?: string
  /** The successor of a retired unit. */
  readonly replaced_by?: string
  /** What to do with the result of an address search. */
  readonly action?: "accept" | "ask" | "confirm"
  readonly code?: string | null
  readonly label?: string | null
  readonly message?: string
}

/** The question that a result raises; undefined if it can be used as it is. */
export const questionAbout = (data: unknown): string | undefined => {
  const { action, code, did_you_mean, label, message, replaced_by } = data as Offer
  if (did_you_mean !== undefined) return meant(did_you_mean)
  if (replaced_by !== undefined) {
    return `This postcode is retired. Is ${quotedUnlessCode(replaced_by)} the right one now? ${consent}`
  }
  const said = `The service says: ${quoted(message ?? "")}.`
  if (action === "confirm") {
    return `Is it ${quoted(label ?? code ?? "")} (${quotedUnlessCode(code ?? "")})? ${said} ${consent}`
  }
  return action === "ask" ? `The address is not found yet. ${said}` : undefined
}

/** The question that the message of an error raises. */
export const questionAboutError = (message: string): string | undefined => {
  const [, postcode] = /did you mean ([A-Z0-9-]+)\?/.exec(message) ?? []
  return postcode === undefined ? undefined : meant(postcode)
}

const consent = "Do not use it without the user's consent."

const meant = (postcode: string): string => `Did you mean ${quotedUnlessCode(postcode)}? ${consent}`
