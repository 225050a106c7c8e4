/** Accounts of end users in memory. */
import { hashesNaming, saveAccounts, twoAccounts } from "@postcode/gateway/widget/endUsers/EndUserAccounts"
import { type EndUser, EndUsers, type StoredEndUser } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { IdentifierIndex } from "./IdentifierIndex.ts"

export const layerEndUsers: Layer.Layer<EndUsers, never, MemoryState> = Layer.effect(
  EndUsers,
  Effect.map(MemoryState, ({ ownBookmarks }) => {
    const byId = new Map<string, EndUser>()
    const byIdentifier = new IdentifierIndex<EndUser>()

    const drop = (account: EndUser | undefined) => {
      for (const hash of account?.identifier_hashes ?? []) byIdentifier.delete(hash)
    }

    const saveAll = (users: ReadonlyArray<EndUser>) => {
      const owners = users.flatMap(hashesNaming).flatMap((hash) => {
        const owner = byIdentifier.get(hash)
        return owner === undefined ? [] : [[hash, owner.id] as const]
      })
      const { accounts, ids } = saveAccounts(users, owners)
      // Identifiers may move between accounts, so all old entries are removed before new ones are added.
      for (const id of accounts.keys()) drop(byId.get(id))
      for (const [id, account] of accounts) {
        byId.set(id, account)
        for (const hash of account.identifier_hashes) byIdentifier.set(hash, account)
      }
      return ids
    }

    const remove = (id: string) => {
      const account = byId.get(id)
      drop(account)
      byId.delete(id)
      for (const ofOrganization of ownBookmarks.values()) {
        for (const hash of account?.identifier_hashes ?? []) ofOrganization.delete(hash)
      }
      return stored(account)
    }

    return EndUsers.of({
      save: (user) =>
        Effect.suspend(() => {
          const [id] = saveAll([user])
          return id === undefined ? Effect.fail(twoAccounts) : Effect.succeed(id)
        }),
      saveAll: (users) => Effect.sync(() => saveAll(users)),
      bookmarks: (identifier_hashes) =>
        Effect.sync(() => {
          const nearest = identifier_hashes.map((hash) => byIdentifier.nearest(hash))
          const found = nearest.find((entry, i) => entry?.hash === identifier_hashes[i])
          // Without an account, another account is read and its result discarded, so that the timing is the same.
          const bookmarks = (found ?? nearest[0])?.account.bookmarks ?? none
          return bookmarks.length > 0 && found !== undefined ? bookmarks : none
        }),
      find: (identifier_hashes) =>
        Effect.sync(() => {
          const found = identifier_hashes.find((hash) => byIdentifier.has(hash))
          return found === undefined ? undefined : stored(byIdentifier.get(found))
        }),
      get: (id) => Effect.sync(() => stored(byId.get(id))),
      remove: (id) => Effect.sync(() => remove(id)),
      count: () => Effect.sync(() => byId.size)
    })
  })
)

const none: EndUser["bookmarks"] = []

const stored = (account: EndUser | undefined): StoredEndUser | undefined =>
  account && { id: account.id, identifiers: account.identifier_hashes.length, bookmarks: account.bookmarks }
