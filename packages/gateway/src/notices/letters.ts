/** The words of each kind of notice. */
import { mentionable } from "./mentionable.ts"
import type { NoticeFacts, NoticeKind, StoredNotice } from "./Notice.ts"

/** The words of a mail, without greeting and footer. */
export interface Letter {
  readonly subject: string
  /** The first one is before the link. */
  readonly paragraphs: ReadonlyArray<string>
  readonly action: Link | undefined
}

interface Link {
  readonly label: string
  readonly url: string
}

/** What a letter needs besides the facts of its notice. */
export interface NoticeContext {
  readonly organization_name: string | undefined
  /** The token of the link, for kinds that have one. */
  readonly token: string | undefined
  /** The number of reviews that wait, for operators. */
  readonly reviews: number
}

interface LetterContext extends NoticeContext {
  readonly public_url: string
  readonly link_expires_at: string | undefined
}

/** The name of the page in the console that takes the token of a link, in the fragment: `#join=<token>`. */
export const linkNames = {
  invitation: "join",
  confirm_address: "confirm",
  reset_password: "reset",
  confirm_new_address: "confirm-address",
  address_changed: "undo"
} as const satisfies Partial<Readonly<Record<NoticeKind, string>>>

/** The letter of a notice. */
export const letterOf = (
  { facts, kind, link_expires_at }: StoredNotice,
  context: NoticeContext & { readonly public_url: string }
): Letter => {
  const write = letters[kind] as (facts: StoredNotice["facts"], context: LetterContext) => Letter
  return write(facts, { ...context, link_expires_at })
}

/** A page of the console. */
const pageOf = ({ public_url }: LetterContext, path: string): string => `${public_url}/console/#${path}`

/** A page of an organization. */
const organizationPage = (
  context: LetterContext,
  label: string,
  { organization_id }: { readonly organization_id: string },
  page: string
): Link => ({ label, url: pageOf(context, `/organizations/${organization_id}/${page}`) })

const linkTo = (context: LetterContext, kind: keyof typeof linkNames, label: string): Link => ({
  label,
  url: pageOf(context, `${linkNames[kind]}=${context.token ?? ""}`)
})

const nameOf = ({ organization_name }: LetterContext, otherwise: string): string =>
  mentionable(organization_name ?? "") ?? otherwise

/** `2026-11-29 14:05 UTC` */
const timeOf = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`

const expiry = ({ link_expires_at }: LetterContext): string =>
  link_expires_at === undefined
    ? "The link works once."
    : `The link works once, until ${timeOf(link_expires_at)}. Do not pass it on: it is as good as a password.`

const notYou = "If this was not you, ignore this mail: without the link, nothing happens."
const wasItYou =
  "If this was not you, reset your password at once, look at your passkeys, and tell the operator of this service."

const environmentName = { live: "live", test: "test" } as const

const number = (value: number): string => value.toLocaleString("en-US")

/** `1 live credit`, `1,204 test credits`. */
const creditsOf = ({ balance, environment }: NoticeFacts["balance_low"]): string =>
  `${number(balance)} ${environmentName[environment]} ${balance === 1 ? "credit" : "credits"}`

type Letters = { readonly [Kind in NoticeKind]: (facts: NoticeFacts[Kind], context: LetterContext) => Letter }

const letters: Letters = {
  confirm_address: (_, context) => ({
    subject: "Confirm your address",
    paragraphs: ["Somebody signs up for the Postcode Gateway with this address.", expiry(context), notYou],
    action: linkTo(context, "confirm_address", "Confirm the address and continue")
  }),
  already_has_account: (_, context) => ({
    subject: "You already have an account",
    paragraphs: [
      "Somebody signs up for the Postcode Gateway with this address, which already has an account.",
      "Sign in as usual. If you do not know the password, reset it on the same page.",
      "If this was not you, ignore this mail: nothing has changed."
    ],
    action: { label: "Sign in", url: pageOf(context, "/") }
  }),
  invitation: ({ organization_id, role }, context) => {
    const to = organization_id === undefined ? "the operators of this service" : nameOf(context, "an organization")
    return {
      subject: "You are invited to the Postcode Gateway",
      paragraphs: [
        `You are invited to join ${to}, with the role ${role}.`,
        expiry(context),
        "If you did not expect this, ignore this mail."
      ],
      action: linkTo(context, "invitation", "Accept the invitation")
    }
  },
  reset_password: (_, context) => ({
    subject: "Reset your password",
    paragraphs: ["Somebody asks to reset the password of your account.", expiry(context), notYou],
    action: linkTo(context, "reset_password", "Choose a new password")
  }),
  confirm_new_address: (_, context) => ({
    subject: "Confirm your new address",
    paragraphs: [
      "An account of the Postcode Gateway is about to use this address.",
      expiry(context),
      "If this was not you, ignore this mail: without the link, nothing changes."
    ],
    action: linkTo(context, "confirm_new_address", "Use this address")
  }),
  address_changed: (_, context) => ({
    subject: "Your address was changed",
    paragraphs: [
      "Your account now has another address. Mail to this one ends.",
      expiry(context),
      "If this was not you, use the link: it undoes the change and ends all sessions of the account."
    ],
    action: linkTo(context, "address_changed", "Undo the change")
  }),
  password_changed: ({ how }, context) => ({
    subject: "Your password was changed",
    paragraphs: [
      how === "reset"
        ? "The password of your account was reset with a link that was sent to this address. All sessions have ended."
        : "The password of your account was changed. All other sessions have ended.",
      wasItYou
    ],
    action: { label: "Open the console", url: pageOf(context, "/account") }
  }),
  passkey_changed: ({ change }, context) => ({
    subject: change === "added" ? "A passkey was added" : "A passkey was removed",
    paragraphs: [`A passkey was ${change} ${change === "added" ? "to" : "from"} your account.`, wasItYou],
    action: { label: "See your passkeys", url: pageOf(context, "/account") }
  }),
  signed_out_everywhere: (_, context) => ({
    subject: "You were signed out everywhere",
    paragraphs: ["All sessions of your account have ended.", wasItYou],
    action: { label: "Sign in", url: pageOf(context, "/") }
  }),
  verification_decided: (facts, context) => ({
    subject: facts.kyb_status === "verified" ? "Your organization is verified" : "The verification was rejected",
    paragraphs:
      facts.kyb_status === "verified"
        ? [`${nameOf(context, "Your organization")} is verified. It may have live keys from now on.`]
        : [
            `The verification of ${nameOf(context, "your organization")} was rejected.`,
            "The page shows the reason. You can send the details again."
          ],
    action: organizationPage(context, "See the verification", facts, "verification")
  }),
  access_decided: (facts, context) => ({
    subject: facts.status === "approved" ? `Level ${facts.level} is granted` : `Level ${facts.level} was not granted`,
    paragraphs: [
      `The request of ${nameOf(context, "your organization")} for level ${facts.level} was ${facts.status}.`,
      facts.status === "approved"
        ? "The level of a key never changes: create another key where you need the higher level."
        : "The page shows the reason. You can request the level again."
    ],
    action: organizationPage(context, "See the request", facts, "verification")
  }),
  balance_low: (facts, context) => ({
    subject: `Low balance: ${creditsOf(facts)}`,
    paragraphs: [
      `${nameOf(context, "Your organization")} has ${creditsOf(facts)} left, below its threshold of ${number(facts.threshold)}.`,
      "Requests that cost more than the balance are refused with insufficient_credits."
    ],
    action: organizationPage(context, "See the balance", facts, "credits")
  }),
  balance_used_up: ({ balance, environment, organization_id }, context) => {
    const credits = `${environmentName[environment]} ${balance === 1 ? "credit" : "credits"}`
    const until = "refused with insufficient_credits until credits are added. Free requests still work."
    const action = organizationPage(context, "See the balance", { organization_id }, "credits")
    if (balance === 0) {
      const left = `${nameOf(context, "Your organization")} has no ${credits} left.`
      return { subject: `Your ${credits} are used up`, paragraphs: [left, `Paid requests are ${until}`], action }
    }
    const last = balance === 1 ? `Your last ${credits} is` : `Your last ${number(balance)} ${credits} are`
    const left = `${number(balance)} ${credits} that ${balance === 1 ? "is" : "are"} left`
    return {
      subject: `${last} not enough`,
      paragraphs: [
        `A request of ${nameOf(context, "your organization")} was refused: it costs more than the ${left}.`,
        `Requests that cost more are ${until}`
      ],
      action
    }
  },
  daily_limit_reached: (facts, context) => ({
    subject: "A key has reached its daily limit",
    paragraphs: [
      `The ${environmentName[facts.environment]} key ${facts.key_id} of ${nameOf(context, "your organization")} has used its ${facts.daily_credit_limit === 1 ? "only credit" : `${number(facts.daily_credit_limit)} credits`} of today.`,
      "Its paid requests are refused until 00:00 UTC, or until the limit is raised. If you do not expect this traffic, look at the key: it may have leaked."
    ],
    action: organizationPage(context, "See the key", facts, `keys/${facts.key_id}`)
  }),
  key_expires: (facts, context) => ({
    subject: `A key expires on ${facts.expires_at.slice(0, 10)}`,
    paragraphs: [
      `The ${environmentName[facts.environment]} key ${facts.key_id} of ${nameOf(context, "your organization")} expires at ${timeOf(facts.expires_at)}.`,
      "Its requests are refused after that. Rotate the key, and put its successor where the key is used."
    ],
    action: organizationPage(context, "See the key", facts, `keys/${facts.key_id}`)
  }),
  webhook_disabled: (facts, context) => ({
    subject: "A webhook was disabled",
    paragraphs: [
      `The webhook ${facts.webhook_id} of ${nameOf(context, "your organization")} answered 410 Gone, so it gets no more events.`,
      "If that was a mistake, remove it and create a new one."
    ],
    action: organizationPage(context, "See the webhooks", facts, "webhooks")
  }),
  organization_will_close: (facts, context) => ({
    subject: "An unused organization will be closed",
    paragraphs: [
      `${nameOf(context, "Your organization")} was never used. It will be closed on ${facts.closes_at.slice(0, 10)}.`,
      "To keep it, make a request with one of its keys before that day."
    ],
    action: organizationPage(context, "Open the organization", facts, "keys")
  }),
  review_waiting: (_, context) => ({
    subject: `${number(context.reviews)} ${context.reviews === 1 ? "review waits" : "reviews wait"}`,
    paragraphs: [
      `${number(context.reviews)} ${context.reviews === 1 ? "organization waits" : "organizations wait"} for your decision on a verification or a level.`
    ],
    action: { label: "See the reviews", url: pageOf(context, "/reviews") }
  })
}
