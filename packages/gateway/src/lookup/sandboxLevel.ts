/** The levels of the sandbox's units: a grant concerns real units only. */
import { type AccessLevel, publishableLookupLevel } from "@postcode/core/AccessLevel"
import type { Postcode } from "@postcode/core/Postcode"
import type { Principal } from "../keys/ApiKey.ts"

/** Whether a postcode is reserved for the sandbox: `ZZ` is no state. */
export const isReserved = (postcode: Postcode): boolean => postcode.startsWith("ZZ")

/**
 * The level of a unit: `level`, except for a unit of the sandbox. A test key sees that as requested, whatever level its
 * organization is granted.
 *
 * @param level the level served of real units, see `authorizeLookup`, which also allows `requested`
 */
export const levelOf = (
  postcode: Postcode,
  level: AccessLevel,
  requested: AccessLevel,
  principal: Principal | undefined
): AccessLevel => {
  if (principal?.environment !== "test" || !isReserved(postcode)) return level
  return principal.kind === "publishable" && requested > publishableLookupLevel ? publishableLookupLevel : requested
}
