/**
 * Accounts of people in the console: operators, who run the instance, and members of an organization. Their passwords,
 * the sessions that they sign in to, and the invitations by which they come.
 */
import { Redacted, Result } from "effect"
import { Conflict, InvalidParameter, InvalidToken } from "../Errors.ts"
import { parseEmail } from "./Email.ts"
import type { Role } from "./ManagementAccess.ts"

/** Somebody who may sign in to the console. */
export interface Account {
  readonly id: string
  /** In the one spelling of `parseEmail`; no two accounts have the same. */
  readonly email: string
  readonly name: string
  readonly role: Role
  /** The member's organization; absent for an operator. */
  readonly organization_id?: string
  /** ISO 8601, UTC. */
  readonly created_at: string
}

/** Opens one account, with a role and an email address, to the bearer of its token. */
export interface Invitation {
  readonly id: string
  readonly role: Role
  /** The address that the account gets, in the one spelling of `parseEmail`; a claim alone has none. */
  readonly email?: string
  readonly organization_id?: string
  /** Who invited, as the audit log names them. */
  readonly created_by: string
  readonly created_at: string
  readonly expires_at: string
  /** Whether it counts only while there is no operator: the link by which the first one claims the instance. */
  readonly is_claim: boolean
}

/** How long an invitation counts. */
export const invitation_ms = 7 * 86_400_000

/** How long a session lasts that is not used. */
export const sessionIdle_ms = 12 * 3_600_000

/** How long a session lasts at most, however much it is used. */
export const sessionLifetime_ms = 7 * 86_400_000

/** How often a minute one address may try to sign in to one account, right or wrong. */
export const accountAttempts_per_minute = 10

/**
 * How often a minute an account may be tried from all addresses together. No address comes near it, so that none keeps
 * the owner out; and to check 60 passwords takes a thread a few seconds, as it checks two at a time.
 */
export const allAttempts_per_minute = 60

/** How often a minute an address may try to sign in, right or wrong. */
export const addressAttempts_per_minute = 20

/** The random characters of an invitation's or a session's token: 256 bits. */
export const tokenLength = 43

/** What every session's token fails with that is not in force, whatever the reason. */
export const consoleSessionNotInForce = new InvalidToken({ message: "the session has ended: sign in again" })

/**
 * What every invitation's token fails with that does not count, whatever the reason. An address that has an account is one
 * of the reasons, so that the answer does not tell who has one.
 */
export const invitationNotInForce = new InvalidToken({
  message:
    "the invitation does not count: it was used or withdrawn, has expired, or its address has an account. " +
    "Sign in, or ask for another invitation"
})

/** What an invitation that names an address fails with where another one is sent. */
export const otherEmail = new InvalidParameter({
  parameter: "email",
  message: "email: the invitation is for another address: leave this out, or ask for another invitation"
})

/** What an account cannot be made with. */
export const emailTaken = new Conflict({ message: "there is an account with this email address already" })

/** What an operator's account cannot be changed to. */
export const operatorsStay = new Conflict({
  message: "an operator has no other role: remove the account, and invite a member"
})

/** What an account fails with that is the last in a role which must not be without anybody. */
export const lastInRole = (role: "operator" | "owner"): Conflict =>
  new Conflict({
    message:
      role === "operator"
        ? "this is the last operator: invite another one first"
        : "this is the last owner of the organization: make another member an owner first"
  })

/** An email address in its one spelling. */
export const readEmail = (raw: string): Result.Result<string, InvalidParameter> => {
  const email = parseEmail(raw)
  return email === undefined ? Result.fail(emailExpected) : Result.succeed(email)
}

/** What an address fails with that is missing or is none. */
export const emailExpected = new InvalidParameter({ parameter: "email", message: "email: expected an email address" })

/** The fewest characters that a password has. */
export const minimumPassword = 12

/** The most characters that a password has. */
export const maximumPassword = 256

/**
 * Whether a text may become a password: long enough, and not among what is tried first. What is in it is nobody's
 * business: length is what makes it hard to guess.
 *
 * @param parameter what to call it in an error
 */
export const checkPassword = (
  password: Redacted.Redacted<string>,
  parameter = "password"
): Result.Result<void, InvalidParameter> => {
  const text = Redacted.value(password)
  const refuse = (expected: string) =>
    Result.fail(new InvalidParameter({ parameter, message: `${parameter}: expected ${expected}` }))
  if ([...text].length < minimumPassword || text.length > maximumPassword) {
    return refuse(`${minimumPassword} to ${maximumPassword} characters`)
  }
  return isEasilyGuessed(text)
    ? refuse("something that is not among the first guesses, as words and rows of keys are")
    : Result.void
}

/** Few different characters, or nothing but parts of what is tried first, and up to three characters around them. */
const isEasilyGuessed = (text: string): boolean => {
  const lower = text.toLowerCase()
  if (new Set(lower).size < minimumDifferent) return true
  const rest = firstGuesses.reduce((left, guess) => left.replaceAll(guess, ""), lower)
  return rest.replace(/[^a-z]/g, "").length === 0 && rest.length <= 8
}

const minimumDifferent = 5

/** What most stolen lists of long passwords are made of; the longest first. */
const firstGuesses = [
  "administrator",
  "qwertyuiop",
  "1q2w3e4r5t6y",
  "1qaz2wsx3edc",
  "1234567890",
  "postcode",
  "password",
  "iloveyou",
  "football",
  "baseball",
  "changeme",
  "princess",
  "sunshine",
  "superman",
  "asdfghjkl",
  "welcome",
  "letmein",
  "nigeria",
  "zxcvbnm",
  "monkey",
  "dragon",
  "master",
  "qwerty",
  "secret",
  "summer",
  "winter",
  "lagos",
  "admin",
  "login",
  "abc123",
  "123456",
  "123"
]
