/** Accounts, their memberships and invitations in memory. */
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { hasOperator, Invitations } from "./Invitations.ts"
import { StoredAccounts } from "./StoredAccounts.ts"

export const layerAccounts: Layer.Layer<Accounts, never, MemoryState> = Layer.effect(
  Accounts,
  Effect.map(MemoryState, (state) => {
    const invitations = new Invitations(state)
    const stored = new StoredAccounts(state.accounts, invitations)

    return Accounts.of({
      ...invitations.methods,
      accept: (hash, account, now) => Effect.suspend(() => stored.accept(hash, account, now)),
      join: (hash, id, now) => Effect.suspend(() => stored.join(hash, id, now)),
      addMember: (id, membership) => Effect.suspend(() => stored.addMember(id, membership)),
      open: (account, membership) => Effect.suspend(() => stored.open(account, membership)),
      hasOperator: () => Effect.sync(() => hasOperator(state.accounts)),
      find: (id) => Effect.suspend(() => stored.find(id)),
      findByEmail: (email) => Effect.sync(() => stored.findByEmail(email)),
      idOfEmail: (email) => Effect.sync(() => stored.findByEmail(email)?.account.id),
      list: ({ organization_id }, page) => Effect.suspend(() => stored.list(organization_id, page)),
      change: (id, patch) => Effect.suspend(() => stored.change(id, patch)),
      changeRole: (id, organization_id, role) => Effect.suspend(() => stored.changeRole(id, organization_id, role)),
      leave: (id, organization_id) => Effect.suspend(() => stored.leave(id, organization_id)),
      remove: (id) => Effect.suspend(() => stored.remove(id))
    })
  })
)
