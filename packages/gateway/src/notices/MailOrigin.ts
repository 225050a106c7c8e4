/** Where the links of mail lead. */
import { Context } from "effect"

/** The public origin of the service, where its console is: `https://postcode.example`. Set together with the transport. */
export const MailOrigin = Context.Reference<string>("@postcode/gateway/MailOrigin", {
  defaultValue: () => "http://localhost"
})
