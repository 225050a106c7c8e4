/**
 * Accounts of the console: operators, who run the instance, and members of organizations. Also their passwords,
 * console sessions and invitations.
 */

import { Redacted, Result } from "effect"
import { parseEmail } from "../Email.ts"
import { Conflict, InvalidParameter, InvalidToken } from "../Errors.ts"
import { accountLimits } from "../InputLimits.ts"
import type { MemberRole, Role } from "../ManagementAccess.ts"

/** A person who signs in to the console. */
export interface Account {
  readonly id: string
  /** In the canonical form of `parseEmail`; unique. */
  readonly email: string
  readonly name: string
  /** Whether the account runs the instance. Its memberships then give it nothing more. */
  readonly is_operator: boolean
  /** In the order of joining. Only an operator has none. */
  readonly memberships: ReadonlyArray<Membership>
  /** ISO 8601, UTC. */
  readonly created_at: string
}

/** An account's role in an organization. */
export interface Membership {
  readonly organization_id: string
  readonly role: MemberRole
  readonly joined_at: string
}

/** An account as an organization, or the instance, lists it: with its role there, and nothing of other organizations. */
export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Absent for an operator of the instance. */
  readonly organization_id?: string
  /** For an operator, when the account was created. */
  readonly joined_at: string
}

/** An account's membership of an organization; undefined if it has none. */
export const membershipIn = (account: Account, organization_id: string | undefined): Membership | undefined =>
  account.memberships.find((membership) => membership.organization_id === organization_id)

/**
 * An account as a member of an organization.
 *
 * @param membership undefined for an operator of the instance
 */
export const memberOf = ({ created_at, email, id, name }: Account, membership: Membership | undefined): Member =>
  membership === undefined
    ? { id, email, name, role: "operator", joined_at: created_at }
    : { id, email, name, ...membership }

/** The account that creates something for an organization, and the role in which it does. */
export type Maker = Pick<Member, "id" | "organization_id" | "role">

/** Whether an account has a maker's role. */
export const hasRoleOf = (account: Account, { organization_id, role }: Omit<Maker, "id">): boolean =>
  role === "operator" ? account.is_operator : membershipIn(account, organization_id)?.role === role

/** Entitles the bearer of its token to one account with a role and an email address. */
export interface Invitation {
  readonly id: string
  readonly role: Role
  /** The email of the account, in the canonical form of `parseEmail`; absent for a claim. */
  readonly email?: string
  readonly organization_id?: string
  /** The inviter, as named in the audit log. */
  readonly created_by: string
  readonly created_at: string
  readonly expires_at: string
  /** Whether this is the claim of the first operator, which is valid only while there is no operator. */
  readonly is_claim: boolean
}

/** Lifetime of an invitation in milliseconds. */
export const invitation_ms = 7 * 86_400_000

/** Maximum number of open invitations of an organization. */
export const maxOpenInvitations = 50

/** Maximum number of organizations of an account. */
export const maxMemberships = 50

/** Maximum idle time of a console session in milliseconds. */
export const sessionIdle_ms = 12 * 3_600_000

/** Maximum lifetime of a console session in milliseconds. */
export const sessionLifetime_ms = 7 * 86_400_000

/** Sign-in attempts per minute from one address at one account, successful or not. */
export const accountAttempts_per_minute = 10

/**
 * Sign-in attempts per minute at an account from all addresses. Far above the limit of one address, so that one address
 * cannot lock the owner out. Checking 60 passwords takes a thread a few seconds, as it checks two at a time.
 */
export const allAttempts_per_minute = 60

/** Sign-in attempts per minute from an address, successful or not. */
export const addressAttempts_per_minute = 20

/** Random characters of the token of an invitation or a console session: 256 bits. */
export const tokenLength = 43

/** The error for every invalid token of a console session, for any reason. */
export const invalidConsoleSession = new InvalidToken({ message: "the session has ended: sign in again" })

/**
 * The error for every invalid token of an invitation, for any reason. One reason is that the address has an account,
 * which the answer must not reveal.
 */
export const invalidInvitation = new InvalidToken({
  message:
    "the invitation is not valid: it was used or withdrawn, has expired, or its address has an account. " +
    "Sign in, or request a new invitation"
})

/** The error for an invitation beyond `maxOpenInvitations`. */
export const tooManyInvitations = new Conflict({
  message: `the organization has ${maxOpenInvitations} open invitations, which is the limit: withdraw one, or wait until one is accepted or expires`
})

/** The error for an invitation to an organization, or to run the instance, that the account belongs to. */
export const alreadyMember = new Conflict({ message: "this account belongs to it already: nothing was changed" })

/** The error for a membership beyond `maxMemberships`. */
export const tooManyMemberships = new Conflict({
  message: `an account belongs to at most ${maxMemberships} organizations: leave one first`
})

/** The error if an invitation is for another address than that of the signed-in account. */
export const otherAccount = new Conflict({
  message: "the invitation is for another address than that of your account: sign in with the invited address"
})

/** The error if the email differs from that of the invitation. */
export const otherEmail = new InvalidParameter({
  parameter: "email",
  message: "email: the invitation is for another address: omit this, or request a new invitation"
})

/** The error if the email has an account. */
export const emailTaken = new Conflict({ message: "this email address already has an account" })

/** The error for removing the last account in a required role. */
export const lastInRole = (role: "operator" | "owner"): Conflict =>
  new Conflict({
    message:
      role === "operator"
        ? "this is the last operator: invite another one first"
        : "this is the last owner of an organization: make another member an owner first"
  })

/**
 * Parses an email address to its canonical form. Mail servers refuse a dot at the beginning, at the end or after another
 * dot, which is nearly always a typing error.
 */
export const readEmail = (raw: string): Result.Result<string, InvalidParameter> => {
  const email = parseEmail(raw)
  return email === undefined || /^\.|\.\.|\.@/.test(email) ? Result.fail(emailExpected) : Result.succeed(email)
}

/** The error for a missing or invalid email address. */
export const emailExpected = new InvalidParameter({ parameter: "email", message: "email: expected an email address" })

/**
 * Whether a text is acceptable as a password: long enough and not among common guesses. There are no rules of
 * composition, because only length makes a password hard to guess.
 *
 * @param email of the account, if it is known: its parts are among the first guesses
 */
export const checkPassword = (
  password: Redacted.Redacted<string>,
  email = ""
): Result.Result<void, InvalidParameter> => {
  const text = Redacted.value(password)
  const refuse = (expected: string) =>
    Result.fail(new InvalidParameter({ parameter: "password", message: `password: expected ${expected}` }))
  if ([...text].length < accountLimits.minPassword || text.length > accountLimits.password) {
    return refuse(`${accountLimits.minPassword} to ${accountLimits.password} characters`)
  }
  return isCommonGuess(text, email.toLowerCase())
    ? refuse("something that is harder to guess than common words, rows of keys and your email address")
    : Result.void
}

/** Few distinct characters, or only common guesses and at most eight other characters that are not letters. */
const isCommonGuess = (text: string, email: string): boolean => {
  const lower = text.toLowerCase()
  if (new Set(lower).size < minDistinct) return true
  const rest = [email, ...email.split("@"), ...commonGuesses].reduce((left, guess) => left.replaceAll(guess, ""), lower)
  return rest.replace(/[^a-z]/g, "").length === 0 && rest.length <= 8
}

const minDistinct = 5

/** The most frequent parts of leaked long passwords, the longest first. */
const commonGuesses = [
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
