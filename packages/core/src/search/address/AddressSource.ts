/** Where addresses are searched: the index of the edition, and one of the units whose addresses changed since. */
import { unpack } from "../../directory/codes/PackedCode.ts"
import type { Directory } from "../../directory/Directory.ts"
import type { AddressIndex } from "../../directory/text/AddressIndex.ts"

export interface AddressSource {
  readonly index: AddressIndex
  /** The packed code of the unit at a position in `AddressIndex.units`; −1 if it is not found here now. */
  readonly codeAt: (at: number) => number
}

/** None if the directory was built without addresses. */
export const addressSources = (directory: Directory): ReadonlyArray<AddressSource> => {
  const { addresses, changedAddresses } = directory
  if (addresses === undefined) return []
  const isActive = (code: number) => directory.status(unpack(code)) === "active"
  const [edition] = directory.layers
  if (changedAddresses?.addresses === undefined) {
    return [sourceOf(addresses, (id) => edition.codeOf(id), isActive)]
  }
  const [changed] = changedAddresses.layers
  const isUnchanged = (code: number) => changedAddresses.codes.findPacked(code) < 0
  return [
    sourceOf(
      addresses,
      (id) => edition.codeOf(id),
      (code) => isActive(code) && isUnchanged(code)
    ),
    sourceOf(changedAddresses.addresses, (id) => changed.codeOf(id), isActive)
  ]
}

const sourceOf = (
  index: AddressIndex,
  codeOf: (id: number) => number,
  isFound: (code: number) => boolean
): AddressSource => ({
  index,
  codeAt: (at) => {
    const code = codeOf(index.units[at] as number)
    return isFound(code) ? code : -1
  }
})
