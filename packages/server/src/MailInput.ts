/** The settings of mail: from flags, and the server's URL from the environment, because it holds a password. */

import { withoutInvisible } from "@postcode/core/VisibleText"
import { MailOrigin } from "@postcode/gateway/notices/MailOrigin"
import { MailTransport } from "@postcode/gateway/notices/MailTransport"
import { defaultNoticeLimits, NoticeLimits } from "@postcode/gateway/notices/Notice"
import type { Sender } from "@postcode/gateway/notices/Sender"
import { Effect, Layer, Redacted, Result } from "effect"
import type { CommandFailure } from "./process/ExitCode.ts"
import { say } from "./process/Output.ts"
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
  /** Undefined to print mail in place of sending it, as the demonstration does. */
  readonly server: { readonly url: string; readonly from: Sender } | undefined
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
    return { server: { url, from }, publicOrigin, limits }
  })

const wrong = (message: string) => Effect.fail(wrongUsage(`${mailVariable}: ${message}`))

/** Mail that is printed, for the demonstration. */
export const printedMail = (publicOrigin: string): MailInput => ({
  server: undefined,
  publicOrigin,
  limits: { ...defaultNoticeLimits, isOn: true }
})

/** What stores and letters need of the settings. */
export const layerMailSettings = (mail: MailInput | undefined): Layer.Layer<never> =>
  mail === undefined
    ? Layer.empty
    : Layer.merge(Layer.succeed(NoticeLimits, mail.limits), Layer.succeed(MailOrigin, mail.publicOrigin))

/** The way to the mail server, or to the terminal. */
export const layerMail = ({ server }: MailInput): Effect.Effect<Layer.Layer<MailTransport>> =>
  server === undefined
    ? Effect.succeed(layerPrintedMail)
    : Effect.map(library, ({ layerMailTransport, readMailServer }) =>
        layerMailTransport({
          from: server.from,
          server: Result.getOrThrow(readMailServer(Redacted.make(server.url)))
        })
      )

/** Without the footer, which starts with the line that mail programs know. */
const layerPrintedMail: Layer.Layer<MailTransport> = Layer.succeed(MailTransport, {
  send: ({ subject, text, to }) =>
    Effect.sync(() => {
      const [words = ""] = text.split("\n-- \n")
      say(
        withoutInvisible(`\nThe demonstration prints mail in place of sending it.\nTo: ${to}\nSubject: ${subject}`) +
          `\n\n${words.trim()}\n`
      )
      return { _tag: "Accepted" } as const
    }),
  check: Effect.undefined
})
