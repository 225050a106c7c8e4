/** A store whose parts can be made unavailable. */

import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Unavailable } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { Effect, Layer } from "effect"

/** What can be unavailable. All but the directory say that they are; the directory is never unavailable, it breaks. */
export type StorePart = "directory" | "endUsers" | "keys" | "selections"

type Parts = ApiKeys | CurrentDirectory | EndUsers | Selections

/** The `Retry-After` of a part that is unavailable. */
const retryAfter_s = 5

/** @param away those that are unavailable now */
export const losable = <A>(
  store: Layer.Layer<A | Parts>,
  unavailable: ReadonlySet<StorePart>
): Layer.Layer<Exclude<A, Parts> | Parts> => {
  const unlessUnavailable = <B, E>(part: StorePart, effect: Effect.Effect<B, E>): Effect.Effect<B, E | Unavailable> =>
    Effect.suspend(
      (): Effect.Effect<B, E | Unavailable> =>
        unavailable.has(part) ? Effect.fail(new Unavailable({ retry_after_s: retryAfter_s })) : effect
    )
  const parts = Layer.mergeAll(
    Layer.effect(
      ApiKeys,
      Effect.map(ApiKeys, (port) => ({
        ...port,
        findByHash: (hash, now) => unlessUnavailable("keys", port.findByHash(hash, now)),
        findById: (id, now) => unlessUnavailable("keys", port.findById(id, now))
      }))
    ),
    Layer.effect(
      EndUsers,
      Effect.map(EndUsers, (port) => ({
        ...port,
        bookmarks: (hashes) => unlessUnavailable("endUsers", port.bookmarks(hashes))
      }))
    ),
    Layer.effect(
      Selections,
      Effect.map(Selections, (port) => ({
        ...port,
        record: (selection) => unlessUnavailable("selections", port.record(selection))
      }))
    ),
    Layer.effect(
      CurrentDirectory,
      Effect.map(CurrentDirectory, (port) => ({
        get: () => {
          if (unavailable.has("directory")) throw new Error("the directory broke")
          return port.get()
        }
      }))
    )
  )
  return Layer.provideMerge(parts, store)
}
