/**
 * Finds the account of each saved end user: the one that has an identifier already, or a new one. The rule is in core
 * for all stores; they only persist the result.
 */
import { Conflict } from "../../Errors.ts"
import type { EndUser } from "./EndUsers.ts"

/** The result of saving end users together. */
export interface SavedAccounts {
  /** Account id of each end user, in order; undefined where the identifiers belong to two accounts. */
  readonly ids: ReadonlyArray<string | undefined>
  /** The new state of each saved account, by id. */
  readonly accounts: ReadonlyMap<string, EndUser>
}

/**
 * Saves end users in order; each sees the result of the previous ones.
 *
 * @param owners ids of the accounts that have the identifiers of these end users, by hash
 */
export const saveAccounts = (
  users: ReadonlyArray<EndUser>,
  owners: Iterable<readonly [hash: string, id: string]>
): SavedAccounts => {
  const ownerOf = new Map(owners)
  const hashesOf = new Map<string, Set<string>>()
  for (const [hash, id] of ownerOf) hashesOf.set(id, (hashesOf.get(id) ?? new Set()).add(hash))
  const accounts = new Map<string, EndUser>()

  const ids = users.map((user) => {
    const found = new Set(hashesNaming(user).flatMap((hash) => ownerOf.get(hash) ?? []))
    if (found.size > 1) return undefined
    const [id = user.id] = found
    // Identifiers that the new request does not contain are released.
    for (const hash of hashesOf.get(id) ?? []) ownerOf.delete(hash)
    for (const hash of user.identifier_hashes) ownerOf.set(hash, id)
    hashesOf.set(id, new Set(user.identifier_hashes))
    accounts.set(id, { ...user, id })
    return id
  })
  return { ids, accounts }
}

/** Every hash by which this end user's account can be found. */
export const hashesNaming = ({ former_hashes = [], identifier_hashes }: EndUser): ReadonlyArray<string> => [
  ...identifier_hashes,
  ...former_hashes
]

/** The error for identifiers that belong to two end users. One identifier does if it was saved under two peppers. */
export const twoAccounts = new Conflict({
  message:
    "the identifiers belong to two end users: save each with its own identifiers, or, if both are one person, remove " +
    "both first"
})
