/**
 * Finds the postcode of a free text for a caller, and charges for it: authorize, search as deep as the caller may see,
 * and charge last. The charge checks the key and the grant again, so revoked rights are not served.
 *
 * A caller below level 2 gets a result from the names of states and LGAs only. So nothing finer can be
 * in it: no code, locality, address or message, and no length or time that depends on one.
 */

import { searchNamesLevel } from "@postcode/core/AccessLevel"
import { type AddressAnswer, searchAddress } from "@postcode/core/AddressSearch"
import type { Directory } from "@postcode/core/Directory"
import type { PriceList } from "@postcode/core/Prices"
import { Effect, Exit, Result, Semaphore } from "effect"
import type { CreditLedger } from "../credits/CreditLedger.ts"
import { type ChargeKey, chargeKey, type Receipt } from "../credits/charges/chargeKey.ts"
import { idempotencyOf } from "../credits/idempotency.ts"
import { Prices } from "../credits/Prices.ts"
import { CurrentDirectory } from "../directory/CurrentDirectory.ts"
import { KeyTypeNotAllowed, type KybRequired, type UseCaseError } from "../Errors.ts"
import { authorizeVerified, type Principal, seesNames } from "../keys/ApiKey.ts"
import { Secrets } from "../store/Secrets.ts"
import { SessionUses, takeUse } from "../widget/sessions/SessionUses.ts"
import type { ActiveSession } from "../widget/sessions/WidgetSession.ts"

/** Default number of candidates. */
export const defaultCandidates = 5

/** The depth of a search: `lga` matches states and LGAs only. */
export type Finest = "lga" | "unit"

/** The query. */
export interface AddressQuery {
  /** The current directory. One value for the whole request, so that the answer is of one version. */
  readonly directory: Directory
  readonly text: string
  /** Number of candidates. */
  readonly limit: number
}

/** A query of a caller with or without a key. */
export interface AddressRequest extends AddressQuery {
  readonly principal: Principal | undefined
  readonly request_id: string
  readonly idempotency_key: string | undefined
}

/** Texts of a caller with a secret key. */
export interface AddressBatchRequest extends Omit<AddressRequest, "principal" | "text"> {
  readonly texts: ReadonlyArray<string>
  /**
   * The complete request in order, if it contained more than `texts`. Part of the request's identity under an
   * idempotency key.
   */
  readonly asked?: ReadonlyArray<string>
  readonly principal: Principal
}

/** The answers to a batch, in the order of the texts, and their charge. */
export interface FoundAddresses {
  readonly answers: ReadonlyArray<AddressAnswer>
  /** The charge and the new balance; absent if the request was not metered. */
  readonly receipt: Receipt | undefined
}

/** An answer and its charge. */
export interface FoundAddress {
  readonly answer: AddressAnswer
  /** The charge and the new balance; absent if the request was not metered. */
  readonly receipt: Receipt | undefined
}

/**
 * The depth for a caller. Fails for a publishable key, which anyone can read: pages search in a widget session.
 * Fails for a live key of an unverified organization.
 */
export const authorizeAddressSearch = (
  principal: Principal | undefined
): Result.Result<Finest, KeyTypeNotAllowed | KybRequired> => {
  if (principal === undefined) return Result.succeed("lga")
  if (principal.kind === "publishable") return Result.fail(withPublishableKey)
  return Result.map(authorizeVerified(principal), () => finestFor(principal))
}

/** The price of an answer, in credits: nothing unless a code in it is finer than an LGA. */
export const addressPrice = (prices: PriceList, { candidates, precision }: AddressAnswer): number =>
  [precision, ...candidates.map((candidate) => candidate.precision)].some(isFinerThanLga) ? prices.address_search : 0

/** Searches for a caller. If the balance is lower than the price, nothing is charged or returned. */
export const findAddress: Effect.Effect<
  (request: AddressRequest) => Effect.Effect<FoundAddress, UseCaseError>,
  never,
  CreditLedger | CurrentDirectory | Secrets
> = Effect.gen(function* () {
  const prices = yield* Prices
  const charge = chargeWith(yield* chargeKey, yield* Secrets)

  const { sandbox } = yield* CurrentDirectory

  const find = (request: AddressRequest, finest: Finest): Effect.Effect<FoundAddress, UseCaseError> => {
    const inSandbox = finest === "lga" ? sandboxAnswer(sandbox, request) : undefined
    const answer = inSandbox ?? search(request, finest)
    const payer = inSandbox === undefined ? payerOf(request, finest) : request.principal
    if (payer === undefined) return Exit.succeed({ answer, receipt: undefined })
    const charged = charge(request, payer, finest, addressPrice(prices, answer), {
      reason: "address_search",
      asked: [request.text]
    })
    return Effect.map(charged, (receipt) => ({ answer, receipt })).pipe(
      // The grant was lowered during the request. A charge without a level cannot fail with it.
      Effect.catchTag("GrantLowered", () => find(request, "lga"))
    )
  }

  return (request) => {
    const finest = authorizeAddressSearch(request.principal)
    return Result.isFailure(finest) ? Exit.fail(finest.failure) : find(request, finest.success)
  }
})

/**
 * Searches for all texts of a batch. The price is the sum of their prices, a repeated text counted once. If the balance
 * is lower, nothing is charged or returned.
 *
 * A text takes up to some milliseconds. Therefore one text is searched in each turn of the event loop, over all batches,
 * and other requests are answered in between.
 */
export const findAddresses: Effect.Effect<
  (request: AddressBatchRequest) => Effect.Effect<FoundAddresses, UseCaseError>,
  never,
  CreditLedger | Secrets
> = Effect.gen(function* () {
  const prices = yield* Prices
  const charge = chargeWith(yield* chargeKey, yield* Secrets)
  const oneAtATime = yield* Semaphore.make(1)

  const searchNext = (query: AddressQuery, finest: Finest): Effect.Effect<AddressAnswer> =>
    oneAtATime.withPermits(1)(
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => search(query, finest))
      )
    )

  const find = (request: AddressBatchRequest, finest: Finest): Effect.Effect<FoundAddresses, UseCaseError> =>
    Effect.gen(function* () {
      const found = new Map<string, AddressAnswer>()
      for (const text of request.texts) {
        if (!found.has(text)) found.set(text, yield* searchNext({ ...request, text }, finest))
      }
      const answers = request.texts.map((text) => found.get(text) as AddressAnswer)
      const payer = payerOf(request, finest)
      if (payer === undefined) return { answers, receipt: undefined }
      const price = Array.from(found.values()).reduce((sum, answer) => sum + addressPrice(prices, answer), 0)
      const { asked = request.texts } = request
      const receipt = yield* charge(request, payer, finest, price, { reason: "address_batch", asked })
      return { answers, receipt }
    }).pipe(
      // As for one text.
      Effect.catchTag("GrantLowered", () => find(request, "lga"))
    )

  return (request) => {
    const finest = authorizeAddressSearch(request.principal)
    return Result.isFailure(finest) ? Exit.fail(finest.failure) : find(request, finest.success)
  }
})

/** Searches in a widget session, which its price has paid for. Fails if the session has no queries left. */
export const findAddressInSession: Effect.Effect<
  (session: ActiveSession, query: AddressQuery) => Effect.Effect<AddressAnswer, UseCaseError>,
  never,
  SessionUses
> = Effect.map(SessionUses, (uses) => {
  const take = takeUse(uses)
  return (session, query) =>
    Effect.andThen(
      take(session, "address"),
      Effect.sync(() => search(query, finestFor(session.principal)))
    )
})

/** The depth for a key that may search. */
export const finestFor = (principal: Principal): Finest => (seesNames(principal) ? "unit" : "lga")

const search = ({ directory, limit, text }: AddressQuery, finest: Finest): AddressAnswer =>
  searchAddress(directory, text, { limit, finest })

/**
 * What a test key without names in its results finds in the sandbox; undefined if that is no finer than an LGA. Real units
 * are not looked at, so nothing of them shows, not even in the time.
 */
const sandboxAnswer = (sandbox: Directory | undefined, request: AddressRequest): AddressAnswer | undefined => {
  if (sandbox === undefined || request.principal?.environment !== "test") return undefined
  const answer = search({ ...request, directory: sandbox }, "unit")
  return isFinerThanLga(answer.precision) ? answer : undefined
}

const isFinerThanLga = (precision: AddressAnswer["precision"]): boolean =>
  precision !== null && precision !== "state" && precision !== "lga"

/**
 * The payer, if the request is metered. A search of states and LGAs uses the ledger only to record an idempotency key
 * for the next request.
 */
const payerOf = <A extends Principal | undefined>(
  { idempotency_key, principal }: { readonly idempotency_key: string | undefined; readonly principal: A },
  finest: Finest
): A | undefined => (finest === "unit" || idempotency_key !== undefined ? principal : undefined)

const chargeWith =
  (charge: ChargeKey, secrets: Secrets["Service"]) =>
  (
    { idempotency_key, limit, request_id }: Omit<AddressRequest, "principal" | "text">,
    principal: Principal,
    finest: Finest,
    amount: number,
    { asked, reason }: { readonly asked: ReadonlyArray<string>; readonly reason: "address_batch" | "address_search" }
  ): ReturnType<ChargeKey> =>
    charge(principal, {
      organization_id: principal.organization_id,
      environment: principal.environment,
      key_id: principal.key_id,
      amount,
      reason,
      ...(finest === "unit" && { level: searchNamesLevel }),
      request_id,
      ...(idempotency_key !== undefined && {
        idempotency: idempotencyOf(secrets, idempotency_key, [reason, limit, ...asked])
      })
    })

const withPublishableKey = new KeyTypeNotAllowed({
  message: "address search needs a secret key, or none: in a page, search in a widget session"
})
