/** Port: the way to a mail server. */
import { Context, type Effect } from "effect"

/** A mail to one recipient. All texts come from templates. */
export interface Mail {
  /** The same for each attempt of a notice, so that a recipient's program can drop a repetition. */
  readonly id: string
  readonly to: string
  /** Where an answer of the recipient goes; the sender if undefined. */
  readonly reply_to: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A POST to this address unsubscribes at once (RFC 8058); undefined if the kind cannot be switched off. */
  readonly unsubscribe_url: string | undefined
}

/** The outcome of an attempt. The fault is one line without anything secret. */
export type MailAnswer =
  | { readonly _tag: "Accepted" }
  /** The server is down, busy or refuses this service: the same mail may be accepted later. */
  | { readonly _tag: "Postponed"; readonly fault: string }
  /** The server refuses this mail for good. */
  | { readonly _tag: "Refused"; readonly fault: string }

export class MailTransport extends Context.Service<
  MailTransport,
  {
    /** Sends a mail once, within 25 s. */
    readonly send: (mail: Mail) => Effect.Effect<MailAnswer>
    /** Connects and signs in without sending. Returns the fault; undefined if all is well. */
    readonly check: Effect.Effect<string | undefined>
  }
>()("@postcode/gateway/MailTransport") {}
