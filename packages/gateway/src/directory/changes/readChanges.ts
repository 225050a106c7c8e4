/**
 * Reads the changes of the directory since a version, for any key. Coordinates are shown on request, to keys that are
 * served level 5, and are charged as lookups at that level: authorize, read, and charge last, all or nothing.
 */

import { type AccessLevel, coordinatesLevel } from "@postcode/core/AccessLevel"
import type { ChangeKind } from "@postcode/core/Changes"
import type { Coordinate } from "@postcode/core/Coordinate"
import { type DirectoryVersion, formatVersion } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { lookupPrice } from "@postcode/core/Prices"
import { Effect, Exit, Result } from "effect"
import type { CreditLedger } from "../../credits/CreditLedger.ts"
import { chargeKey, type Receipt } from "../../credits/charges/chargeKey.ts"
import { idempotencyOf } from "../../credits/idempotency.ts"
import { Prices } from "../../credits/Prices.ts"
import { LevelNotGranted, type UseCaseError } from "../../Errors.ts"
import { authorizeLookup, type Principal } from "../../keys/ApiKey.ts"
import { Secrets } from "../../store/Secrets.ts"
import { type AppliedChange, type ChangePage, DirectoryChanges } from "./DirectoryChanges.ts"

/** The version to begin after, and the caller. */
export interface ChangesRequest {
  readonly since: DirectoryVersion
  readonly limit: number
  /** Whether to show coordinates. */
  readonly coordinates: boolean
  /** Undefined while keys cannot be checked. */
  readonly principal: Principal | undefined
  readonly request_id: string
  readonly idempotency_key: string | undefined
}

/** A change as a follower sees it: without names and addresses. */
export interface ShownChange {
  readonly number: number
  readonly change: ChangeKind
  readonly postcode: Postcode
  /** Whether the unit is active after the change. */
  readonly active: boolean
  /** ISO 8601, UTC. */
  readonly at: string
  /** The successor of a retired unit. */
  readonly replaced_by?: Postcode
  /** After the change. Only on request, for kinds of changes that may change it, see `showsCoordinate`. */
  readonly coordinate?: Coordinate
}

/** A page of changes, and its charge. */
export interface ShownChanges extends Omit<ChangePage, "changes"> {
  readonly changes: ReadonlyArray<ShownChange>
  /** 5 with coordinates, otherwise 1. */
  readonly level: AccessLevel
  /** The charge and the new balance; absent if the request was not metered. */
  readonly receipt: Receipt | undefined
}

/**
 * Whether a change of this kind is shown with the unit's coordinate: that of other kinds leaves it as it was.
 * Reactivated units have it, because copies of the directory need not keep those of retired units.
 */
export const showsCoordinate = (kind: ChangeKind): boolean => kind === "add" || kind === "move" || kind === "reactivate"

/**
 * The price of a page with coordinates is that of a lookup for each postcode with a coordinate in it. Under an
 * idempotency key, a repetition may show changes that were made in between; only these are charged then.
 */
export const readChanges: Effect.Effect<
  (request: ChangesRequest) => Effect.Effect<ShownChanges, UseCaseError>,
  never,
  CreditLedger | DirectoryChanges | Secrets
> = Effect.gen(function* () {
  const changes = yield* DirectoryChanges
  const pay = yield* chargeKey
  const secrets = yield* Secrets
  const unitPrice = lookupPrice(yield* Prices, coordinatesLevel)

  const charge = (request: ChangesRequest, principal: Principal, amount: number) => {
    const { coordinates, idempotency_key, limit, request_id, since } = request
    const asked = ["directory_changes", formatVersion(since), limit, String(coordinates)]
    return pay(principal, {
      organization_id: principal.organization_id,
      environment: principal.environment,
      key_id: principal.key_id,
      amount,
      reason: "directory_changes",
      level: levelOf(request),
      request_id,
      ...(idempotency_key !== undefined && { idempotency: idempotencyOf(secrets, idempotency_key, asked) })
    })
  }

  return (request) => {
    const authorized = authorize(request)
    if (Result.isFailure(authorized)) return Exit.fail(authorized.failure)
    return Effect.flatMap(
      changes.after(request.since, request.limit, request.principal?.organization_id),
      (page): Answering => {
        const shown = page.changes.map((change) => show(change, request.coordinates))
        const answer = { ...page, changes: shown, level: levelOf(request) }
        const payer = payerOf(request)
        if (payer === undefined) return Effect.succeed({ ...answer, receipt: undefined })
        return charge(request, payer, unitPrice * pricedUnits(shown)).pipe(
          Effect.map((receipt) => ({ ...answer, receipt })),
          // The grant was lowered during the request.
          Effect.catchTag("GrantLowered", () => Effect.fail(coordinatesNotGranted))
        )
      }
    )
  }
})

type Answering = Effect.Effect<ShownChanges, UseCaseError>

const levelOf = ({ coordinates }: ChangesRequest): AccessLevel => (coordinates ? coordinatesLevel : 1)

/** Unlike a lookup, coordinates are not capped: a page without them would look like one in which nothing moved. */
const authorize = ({ coordinates, principal }: ChangesRequest): Result.Result<AccessLevel, UseCaseError> => {
  if (!coordinates) return Result.succeed(1)
  const authorized = authorizeLookup(principal, coordinatesLevel)
  return Result.isSuccess(authorized) && authorized.success < coordinatesLevel
    ? Result.fail(coordinatesNotGranted)
    : authorized
}

/** Without coordinates the ledger is used only to record an idempotency key for the next request. */
const payerOf = ({ coordinates, idempotency_key, principal }: ChangesRequest): Principal | undefined =>
  coordinates || idempotency_key !== undefined ? principal : undefined

const show = ({ at, kind, number, unit }: AppliedChange, coordinates: boolean): ShownChange => {
  const { active, coordinate, postcode, replaced_by } = unit
  return {
    number,
    change: kind,
    postcode,
    active,
    at,
    ...(replaced_by !== undefined && { replaced_by }),
    ...(coordinates && showsCoordinate(kind) && { coordinate })
  }
}

const pricedUnits = (changes: ReadonlyArray<ShownChange>): number =>
  new Set(changes.flatMap(({ coordinate, postcode }) => (coordinate === undefined ? [] : [postcode]))).size

const coordinatesNotGranted = new LevelNotGranted({
  message: `coordinates: they need level ${coordinatesLevel}, which this key is not served`
})
