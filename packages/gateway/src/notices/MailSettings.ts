/** What the mail of an instance refers to. */
import { Context } from "effect"

export interface MailSettings {
  /** The public origin of the service, where its console is: `https://postcode.example`. */
  readonly public_url: string
  /** The operator's address or URL for questions, if any. */
  readonly support_contact: string | undefined
}

/** Set together with the transport. */
export const MailSettings = Context.Reference<MailSettings>("@postcode/gateway/MailSettings", {
  defaultValue: () => ({ public_url: "http://localhost", support_contact: undefined })
})
