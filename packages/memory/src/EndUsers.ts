/** End users' accounts in memory. */
import { Conflict } from "@postcode/core/Errors"
import { type EndUser, EndUsers } from "@postcode/core/ports/EndUsers"
import { Effect, Layer } from "effect"

export const layerEndUsers: Layer.Layer<EndUsers> = Layer.sync(EndUsers, () => {
  const byIdentifier = new Map<string, EndUser>()

  const save = (user: EndUser) => {
    const hashes = [...user.identifier_hashes, ...(user.former_hashes ?? [])]
    const owners = new Set(hashes.flatMap((hash) => byIdentifier.get(hash) ?? []))
    if (owners.size > 1) return Effect.fail(twoAccounts)
    const [owner] = owners
    for (const hash of owner?.identifier_hashes ?? []) byIdentifier.delete(hash)
    const saved: EndUser = { ...user, id: owner?.id ?? user.id }
    for (const hash of saved.identifier_hashes) byIdentifier.set(hash, saved)
    return Effect.succeed(saved.id)
  }

  return EndUsers.of({
    save: (user) => Effect.suspend(() => save(user)),
    bookmarks: (identifier_hashes) =>
      Effect.sync(() => {
        // All are looked for, and nobody is as good as somebody: whether there is an account must not show in the time.
        const accounts = identifier_hashes.map((hash) => byIdentifier.get(hash) ?? nobody)
        return (accounts.find((account) => account !== nobody) ?? nobody).bookmarks
      })
  })
})

const nobody: Pick<EndUser, "bookmarks"> = { bookmarks: [] }

const twoAccounts = new Conflict({
  message: "the identifiers belong to two accounts: save each account with its own identifiers"
})
