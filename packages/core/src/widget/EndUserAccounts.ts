/**
 * Which account an end user is who is saved: the one that has an identifier already, or a new one. The rule is here for
 * all stores, which only keep what comes out.
 */
import { Conflict } from "../Errors.ts"
import type { EndUser } from "./EndUsers.ts"

/** What is left of end users that were saved together. */
export interface SavedAccounts {
  /** The id of each end user's account, in their order; undefined where the identifiers belong to two. */
  readonly ids: ReadonlyArray<string | undefined>
  /** What has to be kept of each account that was saved, in place of whatever was kept of it; by id. */
  readonly accounts: ReadonlyMap<string, EndUser>
}

/**
 * Saves end users one after the other: each finds what those before have left.
 *
 * @param owners whose the identifiers are that the end users name, as far as they are anyone's: ids by hash
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
    // What led to it and is not given any more is free from here on.
    for (const hash of hashesOf.get(id) ?? []) ownerOf.delete(hash)
    for (const hash of user.identifier_hashes) ownerOf.set(hash, id)
    hashesOf.set(id, new Set(user.identifier_hashes))
    accounts.set(id, { ...user, id })
    return id
  })
  return { ids, accounts }
}

/** Every hash by which an account of this end user is found. */
export const hashesNaming = ({ former_hashes = [], identifier_hashes }: EndUser): ReadonlyArray<string> => [
  ...identifier_hashes,
  ...former_hashes
]

/** What a save fails with whose identifiers belong to two accounts. */
export const twoAccounts = new Conflict({
  message:
    "the identifiers belong to two accounts: save each account with its own identifiers, or remove both first where " +
    "they are one person's, as one identifier has two that was saved under two peppers"
})
