/** A store that can be taken away from the service in parts, as an outage would. */

import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Unavailable } from "@postcode/gateway/Errors"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { Effect, Layer } from "effect"

/** What can be away. All but the directory say that they are; the directory is never away, it breaks. */
export type StorePart = "directory" | "endUsers" | "keys" | "selections"

type Parts = ApiKeys | CurrentDirectory | EndUsers | Selections

/** How long a part that is away asks for patience. */
const patience_s = 5

/** @param away those that are away now */
export const losable = <A>(
  store: Layer.Layer<A | Parts>,
  away: ReadonlySet<StorePart>
): Layer.Layer<Exclude<A, Parts> | Parts> => {
  const unlessAway = <B, E>(part: StorePart, effect: Effect.Effect<B, E>): Effect.Effect<B, E | Unavailable> =>
    Effect.suspend(
      (): Effect.Effect<B, E | Unavailable> =>
        away.has(part) ? Effect.fail(new Unavailable({ retry_after_s: patience_s })) : effect
    )
  const parts = Layer.mergeAll(
    Layer.effect(
      ApiKeys,
      Effect.map(ApiKeys, (port) => ({
        ...port,
        findByHash: (hash, now) => unlessAway("keys", port.findByHash(hash, now)),
        findById: (id, now) => unlessAway("keys", port.findById(id, now))
      }))
    ),
    Layer.effect(
      EndUsers,
      Effect.map(EndUsers, (port) => ({
        ...port,
        bookmarks: (hashes) => unlessAway("endUsers", port.bookmarks(hashes))
      }))
    ),
    Layer.effect(
      Selections,
      Effect.map(Selections, (port) => ({
        ...port,
        record: (selection) => unlessAway("selections", port.record(selection))
      }))
    ),
    Layer.effect(
      CurrentDirectory,
      Effect.map(CurrentDirectory, (port) => ({
        get: () => {
          if (away.has("directory")) throw new Error("the directory broke")
          return port.get()
        }
      }))
    )
  )
  return Layer.provideMerge(parts, store)
}
