/**
 * What threads say to each other about the store: the calls of a worker, and how they ended. Only plain data crosses
 * over, so an error of core travels as its tag and fields, and is made anew on the other side.
 */

import { Accounts } from "@postcode/core/accounts/Accounts"
import { Passkeys } from "@postcode/core/accounts/passkeys/Passkeys"
import { ConsoleSessions } from "@postcode/core/accounts/sessions/ConsoleSessions"
import { AuditLog } from "@postcode/core/audit/AuditLog"
import { CreditLedger, GrantLowered } from "@postcode/core/credits/CreditLedger"
import { Units } from "@postcode/core/directory/Units"
import * as Errors from "@postcode/core/Errors"
import { ApiKeys } from "@postcode/core/keys/ApiKeys"
import { RateLimiter } from "@postcode/core/limits/RateLimiter"
import { AccessRequests } from "@postcode/core/organizations/AccessRequests"
import { Organizations } from "@postcode/core/organizations/Organizations"
import type { Transactions } from "@postcode/core/store/Transactions"
import { UsageLog } from "@postcode/core/usage/UsageLog"
import { Webhooks } from "@postcode/core/webhooks/Webhooks"
import { EndUsers } from "@postcode/core/widget/EndUsers"
import { Selections } from "@postcode/core/widget/Selections"
import { Cause, type Context, Exit, Result } from "effect"

const ports = {
  AccessRequests,
  Accounts,
  ApiKeys,
  AuditLog,
  ConsoleSessions,
  CreditLedger,
  EndUsers,
  Organizations,
  Passkeys,
  RateLimiter,
  Selections,
  Units,
  UsageLog,
  Webhooks
}

type Ports = typeof ports

/** The ports by which the one thread that has the store is reached from all others. */
export type CalledPorts = Context.Service.Identifier<Ports[keyof Ports]>

/** The ports of a store, here or in another thread. Work that has to be done as one cannot be sent. */
export type StorePorts = CalledPorts | Transactions

/** Whether the caller waits for an answer, or only tells. */
type Kind<Method> = Method extends (...args: never) => void
  ? ReturnType<Method> extends void
    ? "told"
    : "asked"
  : never

/** Every method of every port: a port that gets one more does not compile before it stands here. */
const methods: { readonly [Name in keyof Ports]: Methods<Ports[Name]["Service"]> } = {
  AccessRequests: { create: "asked", list: "asked", decide: "asked" },
  Accounts: {
    invite: "asked",
    invitations: "asked",
    invitation: "asked",
    invitationOf: "asked",
    withdraw: "asked",
    accept: "asked",
    hasOperator: "asked",
    find: "asked",
    findByEmail: "asked",
    list: "asked",
    change: "asked",
    remove: "asked"
  },
  ApiKeys: {
    create: "asked",
    findByHash: "asked",
    findById: "asked",
    get: "asked",
    list: "asked",
    rotate: "asked",
    revoke: "asked"
  },
  AuditLog: { append: "asked", appendAll: "asked", list: "asked" },
  ConsoleSessions: { start: "asked", find: "asked", extend: "asked", end: "asked" },
  CreditLedger: { grant: "asked", charge: "asked", setThreshold: "asked", statement: "asked" },
  EndUsers: {
    save: "asked",
    saveAll: "asked",
    bookmarks: "asked",
    find: "asked",
    get: "asked",
    remove: "asked",
    count: "asked"
  },
  Organizations: { create: "asked", get: "asked", list: "asked", update: "asked", submitKyb: "asked" },
  Passkeys: {
    keepChallenge: "asked",
    takeChallenge: "asked",
    add: "asked",
    list: "asked",
    find: "asked",
    use: "asked",
    remove: "asked"
  },
  RateLimiter: { take: "asked" },
  Selections: { record: "asked", list: "asked" },
  Units: { attributes: "asked" },
  UsageLog: { record: "told", daily: "asked", traffic: "asked" },
  Webhooks: {
    create: "asked",
    list: "asked",
    get: "asked",
    remove: "asked",
    rotate: "asked",
    enqueue: "asked",
    delivery: "asked",
    deliveries: "asked",
    retry: "asked"
  }
}

type Methods<Service> = { readonly [Method in keyof Service]: Kind<Service[Method]> }

/** Every error that a port can fail with. */
export type StoreError = Errors.CoreError | GrantLowered

/** A method of a port. */
export interface StoreMethod {
  readonly port: Ports[keyof Ports]
  readonly name: string
  readonly kind: "asked" | "told"
}

/** All methods in one order. A message names a method by its place here: both ends are the same program. */
export const storeMethods: ReadonlyArray<StoreMethod> = Object.entries(methods).flatMap(([port, kinds]) =>
  Object.entries(kinds).map(([name, kind]) => ({ port: ports[port as keyof Ports], name, kind }))
)

/**
 * One call: its number, the place of its method, its arguments. Nobody waits for the end of call 0. A place of −1
 * withdraws the call of that number.
 */
export type StoreCall = readonly [call: number, method: number, args: ReadonlyArray<unknown>]

/** The number of a call whose end nobody waits for. */
export const nobodyWaits = 0
/** The place that withdraws a call. */
export const withdrawn = -1

/** The end of one call: its number, and a success or a failure. */
export type StoreAnswer =
  | readonly [call: number, value: unknown]
  | readonly [call: number, value: undefined, failure: SentFailure]

/** An error of core, a mistake of the program, or an interruption. */
export type SentFailure =
  | { readonly _tag: "Error"; readonly error: StoreError["_tag"]; readonly fields: object }
  | { readonly _tag: "Defect"; readonly name: string; readonly message: string; readonly stack: string | undefined }
  | { readonly _tag: "Interrupted" }

/** How a call ended, as it is sent. */
export const sentAnswer = (call: number, exit: Exit.Exit<unknown, StoreError>): StoreAnswer =>
  Exit.isSuccess(exit) ? [call, exit.value] : [call, undefined, sentFailure(exit.cause)]

/** What became of a call, from how it was sent. */
export const receivedAnswer = ([, value, failure]: StoreAnswer): Exit.Exit<unknown, StoreError> =>
  failure === undefined ? Exit.succeed(value) : Exit.failCause(receivedFailure(failure))

const sentFailure = (cause: Cause.Cause<StoreError>): SentFailure => {
  const defect = Cause.findDefect(cause)
  if (Result.isSuccess(defect)) return sentDefect(defect.success)
  const error = Cause.findError(cause)
  return Result.isSuccess(error) ? sentError(error.success) : { _tag: "Interrupted" }
}

const sentDefect = (defect: unknown): SentFailure =>
  defect instanceof Error
    ? { _tag: "Defect", name: defect.name, message: defect.message, stack: defect.stack }
    : { _tag: "Defect", name: "Error", message: String(defect), stack: undefined }

const sentError = (error: StoreError): SentFailure => ({
  _tag: "Error",
  error: error._tag,
  // An error's own message is not among what is enumerated of it; one that is made up from the fields is not its own.
  fields: Object.hasOwn(error, "message") ? { ...error, message: error.message } : { ...error }
})

const receivedFailure = (failure: SentFailure): Cause.Cause<StoreError> => {
  switch (failure._tag) {
    case "Error":
      return Cause.fail(new errors[failure.error](failure.fields as never))
    case "Defect": {
      const { message, name, stack } = failure
      return Cause.die(Object.assign(new Error(message), { name, ...(stack !== undefined && { stack }) }))
    }
    case "Interrupted":
      return Cause.interrupt()
  }
}

/** The closed set of core's errors, and the one that stays between the store and an operation. */
const errors: { readonly [Tag in StoreError["_tag"]]: new (fields: never) => StoreError } = {
  InvalidParameter: Errors.InvalidParameter,
  AuthenticationRequired: Errors.AuthenticationRequired,
  InvalidApiKey: Errors.InvalidApiKey,
  InvalidToken: Errors.InvalidToken,
  InsufficientCredits: Errors.InsufficientCredits,
  DailyLimitReached: Errors.DailyLimitReached,
  PriceAboveDailyLimit: Errors.PriceAboveDailyLimit,
  InsufficientScope: Errors.InsufficientScope,
  InsufficientLevel: Errors.InsufficientLevel,
  OriginNotAllowed: Errors.OriginNotAllowed,
  KeyTypeNotAllowed: Errors.KeyTypeNotAllowed,
  KybRequired: Errors.KybRequired,
  NotFound: Errors.NotFound,
  Conflict: Errors.Conflict,
  IdempotencyKeyReused: Errors.IdempotencyKeyReused,
  RateLimitExceeded: Errors.RateLimitExceeded,
  Unavailable: Errors.Unavailable,
  GrantLowered
}
