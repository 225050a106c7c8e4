/** Port: encrypts the tokens of links, which wait in the store until their mail is sent. */
import { Context, type Redacted } from "effect"

export class NoticeSecrets extends Context.Service<
  NoticeSecrets,
  {
    /** Encrypts a text for a context, such as a notice's id. Printable ASCII characters that need no escapes in a URL. */
    readonly seal: (context: string, text: Redacted.Redacted<string>) => string
    /** Undefined if it was sealed for another context, or with a secret that is no longer configured, or was changed. */
    readonly open: (context: string, sealed: string) => Redacted.Redacted<string> | undefined
  }
>()("@postcode/gateway/NoticeSecrets") {}
