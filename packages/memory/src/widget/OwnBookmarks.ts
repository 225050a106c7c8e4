/** Bookmarks that end users saved themselves, in memory. */
import { environments } from "@postcode/core/Credits"
import {
  type BookmarkOwner,
  joinBookmarks,
  OwnBookmarks,
  withBookmark,
  withoutBookmark
} from "@postcode/gateway/widget/bookmarks/OwnBookmarks"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, Layer, Result } from "effect"
import { MemoryState } from "../MemoryState.ts"

export const layerOwnBookmarks: Layer.Layer<OwnBookmarks, never, MemoryState> = Layer.effect(
  OwnBookmarks,
  Effect.map(MemoryState, ({ ownBookmarks }) => {
    const list = ({ environment, identifier_hashes, organization_id }: BookmarkOwner) => {
      const ofOrganization = ownBookmarks.get(`${organization_id} ${environment}`)
      return joinBookmarks(identifier_hashes.map((hash) => ofOrganization?.get(hash) ?? []))
    }

    /** Stores a list under the present hash alone. */
    const keep = (
      { environment, identifier_hashes, organization_id }: BookmarkOwner,
      bookmarks: ReadonlyArray<Bookmark>
    ): void => {
      const name = `${organization_id} ${environment}`
      const ofOrganization = ownBookmarks.get(name) ?? new Map<string, ReadonlyArray<Bookmark>>()
      ownBookmarks.set(name, ofOrganization)
      for (const hash of identifier_hashes) ofOrganization.delete(hash)
      if (bookmarks.length > 0) ofOrganization.set(identifier_hashes[0], bookmarks)
    }

    return OwnBookmarks.of({
      list: (owner) => Effect.sync(() => list(owner)),
      save: (owner, bookmark) =>
        Effect.suspend(() =>
          Effect.fromResult(Result.map(withBookmark(list(owner), bookmark), (bookmarks) => keep(owner, bookmarks)))
        ),
      remove: (owner, postcode) =>
        Effect.sync(() => {
          const before = list(owner)
          const after = withoutBookmark(before, postcode)
          keep(owner, after)
          return after.length < before.length
        }),
      removeAll: (organization_id) =>
        Effect.sync(() => {
          for (const environment of environments) ownBookmarks.delete(`${organization_id} ${environment}`)
        })
    })
  })
)
