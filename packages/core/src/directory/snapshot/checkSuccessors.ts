/** Checks that the successors of a snapshot are safe to search: sorted, and postcodes. */
import { packedCodes } from "../codes/PackedCode.ts"
import type { Successors } from "../codes/Successors.ts"
import { checkLength } from "./checkLength.ts"
import { InvalidSnapshot } from "./InvalidSnapshot.ts"

/**
 * Whether the units exist and are retired is not checked. A file that violates this has successors that no search
 * finds, or that an active unit has.
 *
 * @throws InvalidSnapshot
 */
export const checkSuccessors = ({ codes, replacedBy }: Successors): void => {
  checkLength("successors.replacedBy", replacedBy.length, codes.length)
  let last = -1
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] as number
    if (!(code > last && isPacked(code))) throw unexpected("codes", at, " above the one before it")
    if (!isPacked(replacedBy[at] as number)) throw unexpected("replacedBy", at, "")
    last = code
  }
}

const isPacked = (code: number): boolean => code >= 0 && code < packedCodes && Number.isInteger(code)

const unexpected = (section: string, element: number, where: string) =>
  new InvalidSnapshot(`section successors.${section}: expected element ${element} to be a packed postcode${where}`)
