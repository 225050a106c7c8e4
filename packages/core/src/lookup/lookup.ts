/**
 * Look one unit up, or up to a hundred at once, at a level: authorize and cap, find, charge last for what the answer
 * shows. The charge checks the key and the grant once more, so what was taken away since is not served. Nothing that can
 * fail comes after the charge, so no answer is paid for and then lost here.
 */
import { Effect, Exit, Result } from "effect"
import { CreditLedger } from "../credits/CreditLedger.ts"
import { type PriceList, Prices, resultPrice } from "../credits/Credits.ts"
import { chargeKey, type Receipt } from "../credits/chargeKey.ts"
import { idempotencyOf } from "../credits/idempotency.ts"
import type { Directory } from "../directory/Directory.ts"
import type { Coordinate } from "../directory/space/Coordinate.ts"
import type { UnitAttributes } from "../directory/UnitAttributes.ts"
import { Units } from "../directory/Units.ts"
import type { CoreError } from "../Errors.ts"
import { authorizeBatch, authorizeLookup, authorizeVerified, type Principal } from "../keys/ApiKey.ts"
import type { Postcode } from "../postcode/Postcode.ts"
import { Secrets } from "../store/Secrets.ts"
import { type AccessLevel, shows } from "./AccessLevel.ts"

/** The most codes that one batch may hold. */
export const maximumBatch = 100

/** What a level shows of a unit. A key whose value is not known is left out. */
export interface LookupResult {
  readonly postcode: Postcode
  /** Whether the unit exists and is active. */
  readonly valid: boolean
  readonly administrative_address?: {
    readonly state_name?: string
    readonly lga_name?: string
    readonly locality_name?: string
    readonly zone?: string
  }
  readonly recent_house_address?: { readonly recent?: string }
  readonly building_use_status?: string
  readonly other_building_info?: {
    readonly type?: string
    readonly owner?: string
    readonly delivery_point?: boolean
  }
  readonly point_geometry?: Coordinate
}

/** Which units are asked for, how deep, and by whom. */
export interface LookupRequest {
  /** The directory in force: one value for the whole request, so that all of the answer is of one version. */
  readonly directory: Directory
  readonly codes: ReadonlyArray<Postcode>
  /**
   * All that was asked for, in order, where more was than `codes`: a postcode where it is well formed, and as it was
   * sent where it is not. It tells one request from another under an idempotency key.
   */
  readonly asked?: ReadonlyArray<string>
  readonly level: AccessLevel
  readonly principal: Principal | undefined
  readonly request_id: string
  readonly idempotency_key: string | undefined
  readonly reason: "lookup" | "lookup_batch"
}

/** What was found, and what it cost. */
export interface LookupAnswer {
  /** One result a code, in the order given. */
  readonly results: ReadonlyArray<LookupResult>
  /** The level served, see `authorizeLookup`. */
  readonly level: AccessLevel
  /** What was charged, and what is left; absent where the request was not metered. */
  readonly receipt: Receipt | undefined
}

/** Looks postcodes up. All or nothing: if the balance does not hold the sum, nothing is charged or answered. */
export const lookup: Effect.Effect<
  (request: LookupRequest) => Effect.Effect<LookupAnswer, CoreError>,
  never,
  Units | CreditLedger | Secrets
> = Effect.gen(function* () {
  const units = yield* Units
  const prices = yield* Prices
  const charge = chargeWith(yield* CreditLedger, yield* Secrets)

  const answer = (
    request: LookupRequest,
    level: AccessLevel,
    known: ReadonlyMap<Postcode, UnitAttributes>
  ): Effect.Effect<LookupAnswer, CoreError> => {
    const results = resultsAt(request, level, known)
    const payer = payerOf(request)
    if (payer === undefined) return Exit.succeed({ results, level, receipt: undefined })
    const served = Effect.map(charge(request, payer, level, cost(prices, results)), (receipt) => ({
      results,
      level,
      receipt
    }))
    // Each time the level is a lower one, so this ends.
    return Effect.catchTag(served, "GrantLowered", ({ granted_level }) => answer(request, granted_level, known))
  }

  return (request) => {
    const authorized = authorize(request)
    if (Result.isFailure(authorized)) return Exit.fail(authorized.failure)
    const level = authorized.success
    if (level === 1) return answer(request, level, nothingKnown)
    const found = request.codes.filter((code) => request.directory.status(code) === "active")
    if (found.length === 0) return answer(request, level, nothingKnown)
    return Effect.flatMapEager(units.attributes(found, request.directory.version), (attributes) =>
      answer(request, level, new Map(found.map((code, i) => [code, attributes[i] ?? {}])))
    )
  }
})

const authorize = ({ level, principal, reason }: LookupRequest) =>
  reason === "lookup_batch"
    ? Result.flatMap(authorizeBatch(principal), () => authorizeLookup(principal, level))
    : authorizeLookup(principal, level)

const nothingKnown: ReadonlyMap<Postcode, UnitAttributes> = new Map()

const resultsAt = (
  { codes, directory }: LookupRequest,
  level: AccessLevel,
  known: ReadonlyMap<Postcode, UnitAttributes>
): ReadonlyArray<LookupResult> =>
  codes.map((code) => {
    if (level === 1) return { postcode: code, valid: directory.status(code) === "active" }
    const attributes = known.get(code)
    return attributes === undefined ? { postcode: code, valid: false } : grade(directory, code, attributes, level)
  })

/** The sum over the units, each once: a batch that repeats a postcode shows nothing more. */
const cost = (prices: PriceList, results: ReadonlyArray<LookupResult>): number => {
  const units = new Map(results.map((result) => [result.postcode, result]))
  return Array.from(units.values()).reduce((sum, result) => sum + resultPrice(prices, result), 0)
}

/**
 * Whom to charge, be it nothing. Level 1 asks the ledger nothing, except under an idempotency key: that one must be known
 * for the next request. There, a key that needs verification is served as anonymous.
 */
const payerOf = ({ idempotency_key, level, principal }: LookupRequest): Principal | undefined => {
  if (level > 1) return principal
  return idempotency_key === undefined || principal === undefined || Result.isFailure(authorizeVerified(principal))
    ? undefined
    : principal
}

const chargeWith =
  (ledger: CreditLedger["Service"], secrets: Secrets["Service"]) =>
  (request: LookupRequest, principal: Principal, level: AccessLevel, amount: number): ReturnType<typeof chargeKey> => {
    const { asked = request.codes, idempotency_key } = request
    return chargeKey(ledger, principal, {
      organization_id: principal.organization_id,
      environment: principal.environment,
      key_id: principal.key_id,
      amount,
      reason: request.reason,
      level,
      request_id: request.request_id,
      ...(idempotency_key !== undefined && {
        idempotency: idempotencyOf(secrets, idempotency_key, [request.reason, request.level, ...asked])
      })
    })
  }

const grade = (directory: Directory, code: Postcode, known: UnitAttributes, level: AccessLevel): LookupResult => {
  const names = directory.placeNames(code)
  return {
    postcode: code,
    valid: true,
    ...(shows(level, "administrative_address") && {
      administrative_address: {
        ...(names.state_name !== undefined && { state_name: names.state_name }),
        ...(names.lga_name !== undefined && { lga_name: names.lga_name }),
        ...(known.locality_name !== undefined && { locality_name: known.locality_name }),
        ...(names.zone !== undefined && { zone: names.zone })
      }
    }),
    ...(shows(level, "recent_house_address") && {
      recent_house_address: { ...(known.recent_address !== undefined && { recent: known.recent_address }) }
    }),
    ...(shows(level, "building_use_status") &&
      known.building_use_status !== undefined && { building_use_status: known.building_use_status }),
    ...(shows(level, "other_building_info") && {
      other_building_info: {
        ...(known.building_type !== undefined && { type: known.building_type }),
        ...(known.building_owner !== undefined && { owner: known.building_owner }),
        ...(known.delivery_point !== undefined && { delivery_point: known.delivery_point })
      }
    }),
    ...(shows(level, "point_geometry") && { point_geometry: directory.coordinateAt(directory.find(code)) })
  }
}
