/**
 * Looks up one unit, or a batch, at a level: authorize and cap, find, and charge last for what the answer shows. The
 * charge checks the key and the grant again, so revoked rights are not served. Nothing after the charge can fail, so no
 * paid answer is lost here.
 */

import { type AccessLevel, shows } from "@postcode/core/AccessLevel"
import type { Coordinate } from "@postcode/core/Coordinate"
import type { Charge } from "@postcode/core/Credits"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { type PriceList, resultPrice } from "@postcode/core/Prices"
import { type ShownAttributes, showAttributes, type UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect, Exit, Result } from "effect"
import type { CreditLedger } from "../credits/CreditLedger.ts"
import { type ChargeKey, chargeKey, type Receipt } from "../credits/charges/chargeKey.ts"
import { idempotencyOf } from "../credits/idempotency.ts"
import { Prices } from "../credits/Prices.ts"
import { Units } from "../directory/Units.ts"
import type { UseCaseError } from "../Errors.ts"
import { authorizeBatch, authorizeLookup, authorizeVerified, type Principal } from "../keys/ApiKey.ts"
import { Secrets } from "../store/Secrets.ts"
import { levelOf } from "./sandboxLevel.ts"

/** Whether a unit is active, no longer in use, or missing from the directory. */
export type LookupStatus = "valid" | "retired" | "not_found"

/** A unit at a level. Unknown values are omitted. */
export interface LookupResult extends ShownAttributes {
  readonly postcode: Postcode
  /** Whether the unit exists and is active. */
  readonly valid: boolean
  readonly status: LookupStatus
  /** The successor of a retired unit, which may be retired itself, or missing from the directory. */
  readonly replaced_by?: Postcode
  readonly administrative_address?: ShownAttributes["administrative_address"] & {
    readonly state_name?: string
    readonly lga_name?: string
    readonly zone?: string
  }
  readonly point_geometry?: Coordinate
  /** The level served, if it is lower than the requested one and the unit is active. */
  readonly limited_to?: AccessLevel
}

/** The units, the level and the caller. */
export interface LookupRequest {
  /** The current directory. One value for the whole request, so that the answer is of one version. */
  readonly directory: Directory
  readonly codes: ReadonlyArray<Postcode>
  /**
   * The complete request in order, if it contained more than `codes`: canonical where well formed, else as sent. Part
   * of the request's identity under an idempotency key.
   */
  readonly asked?: ReadonlyArray<string>
  readonly level: AccessLevel
  readonly principal: Principal | undefined
  readonly request_id: string
  readonly idempotency_key: string | undefined
  readonly reason: "lookup" | "lookup_batch"
}

/** The results and the charge. */
export interface LookupAnswer {
  /** One result per code, in the order of the request. */
  readonly results: ReadonlyArray<LookupResult>
  /** The highest level served, see `levelOf`. */
  readonly level: AccessLevel
  /** The charge and the new balance; absent if the request was not metered. */
  readonly receipt: Receipt | undefined
}

/** Looks up postcodes. If the balance is lower than the total cost, nothing is charged or returned. */
export const lookup: Effect.Effect<
  (request: LookupRequest) => Effect.Effect<LookupAnswer, UseCaseError>,
  never,
  Units | CreditLedger | Secrets
> = Effect.gen(function* () {
  const units = yield* Units
  const prices = yield* Prices
  const charge = chargeWith(yield* chargeKey, yield* Secrets)

  const answer = (
    request: LookupRequest,
    level: AccessLevel,
    known: ReadonlyMap<Postcode, UnitAttributes>
  ): Effect.Effect<LookupAnswer, UseCaseError> => {
    const results = resultsAt(request, level, known)
    const deepest = deepestOf(request, level)
    const payer = payerOf(request)
    if (payer === undefined) return Exit.succeed({ results, level: deepest, receipt: undefined })
    const levels = { level, served_level: deepest }
    const served = Effect.map(charge(request, payer, levels, cost(prices, results)), (receipt) => ({
      results,
      level: deepest,
      receipt
    }))
    // Terminates, because each retry has a lower level.
    return Effect.catchTag(served, "GrantLowered", ({ granted_level }) => answer(request, granted_level, known))
  }

  return (request) => {
    const authorized = authorize(request)
    if (Result.isFailure(authorized)) return Exit.fail(authorized.failure)
    const level = authorized.success
    if (deepestOf(request, level) === 1) return answer(request, level, nothingKnown)
    const { codes, directory, level: requested, principal } = request
    const found = codes.filter(
      (code) => levelOf(code, level, requested, principal) > 1 && directory.status(code) === "active"
    )
    if (found.length === 0) return answer(request, level, nothingKnown)
    return Effect.flatMapEager(units.attributes(found, request.directory), (attributes) =>
      answer(request, level, new Map(found.map((code, i) => [code, attributes[i] ?? {}])))
    )
  }
})

const authorize = ({ level, principal, reason }: LookupRequest) =>
  reason === "lookup_batch"
    ? Result.flatMap(authorizeBatch(principal), () => authorizeLookup(principal, level))
    : authorizeLookup(principal, level)

/** The highest level of a result. */
const deepestOf = ({ codes, level: requested, principal }: LookupRequest, level: AccessLevel): AccessLevel => {
  let deepest = level
  for (const code of codes) {
    const own = levelOf(code, level, requested, principal)
    if (own > deepest) deepest = own
  }
  return deepest
}

const nothingKnown: ReadonlyMap<Postcode, UnitAttributes> = new Map()

const resultsAt = (
  { codes, directory, level: requested, principal }: LookupRequest,
  level: AccessLevel,
  known: ReadonlyMap<Postcode, UnitAttributes>
): ReadonlyArray<LookupResult> =>
  codes.map((code) => {
    const own = levelOf(code, level, requested, principal)
    return limitedTo(own, requested, resultAt(directory, code, own, known.get(code) ?? {}))
  })

/** Marks a result that shows less of its unit than was requested: absent attributes may be known. */
export const limitedTo = (level: AccessLevel, requested: AccessLevel, result: LookupResult): LookupResult =>
  level < requested && result.valid ? { ...result, limited_to: level } : result

/** A postcode at a level, given the attributes of its unit. An unknown or retired unit shows none. */
export const resultAt = (
  directory: Directory,
  code: Postcode,
  level: AccessLevel,
  known: UnitAttributes
): LookupResult =>
  level > 1 && directory.status(code) === "active" ? grade(directory, code, known, level) : validityOf(directory, code)

/** What every level shows of a unit. */
const validityOf = (directory: Directory, code: Postcode): LookupResult => {
  const status = directory.status(code)
  if (status === "active") return { postcode: code, valid: true, status: "valid" }
  if (status === "unknown") return { postcode: code, valid: false, status: "not_found" }
  const replaced_by = directory.replacedBy(code)
  return { postcode: code, valid: false, status, ...(replaced_by !== undefined && { replaced_by }) }
}

/** The total price. A repeated postcode is charged once. */
const cost = (prices: PriceList, results: ReadonlyArray<LookupResult>): number => {
  const units = new Map(results.map((result) => [result.postcode, result]))
  return Array.from(units.values()).reduce((sum, result) => sum + resultPrice(prices, result), 0)
}

/**
 * The payer, if the request is metered. Level 1 uses the ledger only to record an idempotency key for the next request;
 * a key that needs verification is then served as anonymous.
 */
const payerOf = ({ idempotency_key, level, principal }: LookupRequest): Principal | undefined => {
  if (level > 1) return principal
  return idempotency_key === undefined || principal === undefined || Result.isFailure(authorizeVerified(principal))
    ? undefined
    : principal
}

const chargeWith =
  (charge: ChargeKey, secrets: Secrets["Service"]) =>
  (
    request: LookupRequest,
    principal: Principal,
    levels: Required<Pick<Charge, "level" | "served_level">>,
    amount: number
  ): ReturnType<ChargeKey> => {
    const { asked = request.codes, idempotency_key } = request
    return charge(principal, {
      organization_id: principal.organization_id,
      environment: principal.environment,
      key_id: principal.key_id,
      amount,
      reason: request.reason,
      ...levels,
      request_id: request.request_id,
      ...(idempotency_key !== undefined && {
        idempotency: idempotencyOf(secrets, idempotency_key, [request.reason, request.level, ...asked])
      })
    })
  }

const grade = (directory: Directory, code: Postcode, known: UnitAttributes, level: AccessLevel): LookupResult => {
  const { lga_name, state_name, zone } = directory.placeNames(code)
  const shown = showAttributes(level, known)
  return {
    postcode: code,
    valid: true,
    status: "valid",
    ...shown,
    ...(shows(level, "administrative_address") && {
      administrative_address: {
        ...(state_name !== undefined && { state_name }),
        ...(lga_name !== undefined && { lga_name }),
        ...shown.administrative_address,
        ...(zone !== undefined && { zone })
      }
    }),
    ...(shows(level, "point_geometry") && { point_geometry: directory.coordinateAt(directory.find(code)) })
  }
}
