import type { Postcode } from "@postcode/core/Postcode"
import fc from "fast-check"

/** Any canonical postcode, whether or not a unit has it. */
export const anyPostcode = fc
  .stringMatching(/^[A-Z]{2}-[0-9]{2}-[A-Z0-9]{3}-[A-Z]{2}-[0-9]{2}$/)
  .map((text) => text as Postcode)
