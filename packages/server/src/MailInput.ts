/** The settings of mail: from flags, and the server's URL from the environment, because it holds a password. */

import { MailOrigin } from "@postcode/gateway/notices/MailOrigin"
import type { MailTransport } from "@postcode/gateway/notices/MailTransport"
import { defaultNoticeLimits, NoticeLimits } from "@postcode/gateway/notices/Notice"
import type { Sender } from "@postcode/gateway/notices/Sender"
import { Effect, Layer, Redacted, Result } from "effect"
import type { CommandFailure } from "./process/ExitCode.ts"
import { wrongUsage } from "./WrongUsage.ts"

/** The flags about mail. */
export interface MailFlags {
  readonly mailFrom: Sender | undefined
  readonly mailPerAddress: number | undefined
  readonly mailPerClient: number | undefined
  readonly mailPerDay: number | undefined
  readonly publicOrigin?: string | undefined
}

/** Valid settings. Structured-cloneable, to be sent to a worker. */
export interface MailInput {
  readonly url: string
  readonly from: Sender
  readonly publicOrigin: string
  readonly limits: NoticeLimits
}

/** The variable with the URL of the mail server. */
export const mailVariable = "POSTCODE_SMTP_URL"

/** Loaded only if there is a mail server. */
const library = Effect.promise(() => import("@postcode/node/mail"))

/** Undefined without a mail server: then no mail is stored or sent. */
export const readMail = (
  url: string | undefined,
  flags: MailFlags
): Effect.Effect<MailInput | undefined, CommandFailure> =>
  Effect.gen(function* () {
    if (url === undefined || url === "") return undefined
    const { readMailServer } = yield* library
    const server = readMailServer(Redacted.make(url))
    if (Result.isFailure(server)) return yield* wrong(server.failure)
    const { mailFrom: from, mailPerAddress, mailPerClient, mailPerDay, publicOrigin } = flags
    if (from === undefined) return yield* wrong("needs --mail-from or POSTCODE_MAIL_FROM, the sender of the mail")
    if (publicOrigin === undefined) {
      return yield* wrong("needs --public-url or POSTCODE_PUBLIC_URL, because the links of mail lead there")
    }
    const limits: NoticeLimits = {
      isOn: true,
      address_per_hour: mailPerAddress ?? defaultNoticeLimits.address_per_hour,
      client_per_hour: mailPerClient ?? defaultNoticeLimits.client_per_hour,
      per_day: mailPerDay ?? defaultNoticeLimits.per_day
    }
    return { url, from, publicOrigin, limits }
  })

const wrong = (message: string) => Effect.fail(wrongUsage(`${mailVariable}: ${message}`))

/** What stores and letters need of the settings. */
export const layerMailSettings = (mail: MailInput | undefined): Layer.Layer<never> =>
  mail === undefined
    ? Layer.empty
    : Layer.merge(Layer.succeed(NoticeLimits, mail.limits), Layer.succeed(MailOrigin, mail.publicOrigin))

/** The way to the mail server. */
export const layerMail = ({ from, url }: MailInput): Effect.Effect<Layer.Layer<MailTransport>> =>
  Effect.map(library, ({ layerMailTransport, readMailServer }) =>
    layerMailTransport({ from, server: Result.getOrThrow(readMailServer(Redacted.make(url))) })
  )
