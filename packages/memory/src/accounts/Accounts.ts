/** Accounts and invitations in memory. */
import { type Account, emailTaken, lastInRole, operatorRoleIsFixed } from "@postcode/gateway/accounts/Account"
import { Accounts, type Credentials } from "@postcode/gateway/accounts/Accounts"
import { type Conflict, notFound } from "@postcode/gateway/Errors"
import { Effect, Layer } from "effect"
import { MemoryState } from "../MemoryState.ts"
import { newestFirst } from "../retention/NewestFirst.ts"
import { hasOperator, Invitations } from "./Invitations.ts"

export const layerAccounts: Layer.Layer<Accounts, never, MemoryState> = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const { accounts } = state
    const invitations = new Invitations(state)
    const byEmail = new Map<string, string>()
    /** Ids in order of creation; removed accounts leave a gap. */
    const inOrder: Array<string> = []

    const withRole = ({ organization_id, role }: Account) =>
      [...accounts.values()].filter(
        ({ account }) => account.role === role && account.organization_id === organization_id
      )

    /** The conflict if this is the last account in a required role; else undefined. */
    const lastOf = (account: Account): Conflict | undefined => {
      const { role } = account
      return (role === "operator" || role === "owner") && withRole(account).length === 1 ? lastInRole(role) : undefined
    }

    const accept: Service["accept"] = (hash, { password, ...fields }, now) => {
      const invitation = invitations.of(hash, now)
      if (invitation === undefined) return Effect.fail(notFound("invitation"))
      const { organization_id, role } = invitation
      if (byEmail.has(fields.email)) return Effect.fail(emailTaken)
      const account: Account = { ...fields, role, ...(organization_id !== undefined && { organization_id }) }
      const stored: Credentials = { account, password, epoch: 1 }
      accounts.set(account.id, stored)
      byEmail.set(account.email, account.id)
      inOrder.push(account.id)
      invitations.removeIf(({ id }) => id === invitation.id)
      return Effect.succeed(stored)
    }

    const change: Service["change"] = (id, { ends_sessions, name, password, role, withdraws_invitations, ...when }) => {
      const before = accounts.get(id)
      if (before === undefined || before.epoch !== (when.epoch ?? before.epoch)) return Effect.fail(notFound("account"))
      if (role !== undefined && before.account.role === "operator") return Effect.fail(operatorRoleIsFixed)
      const conflict = role === undefined || role === before.account.role ? undefined : lastOf(before.account)
      if (conflict !== undefined) return Effect.fail(conflict)
      const { account, epoch } = before
      const after: Credentials = {
        account: { ...account, ...(name !== undefined && { name }), ...(role !== undefined && { role }) },
        password: password ?? before.password,
        epoch: ends_sessions ? epoch + 1 : epoch
      }
      accounts.set(id, after)
      if (withdraws_invitations) invitations.removeIf(({ created_by }) => created_by === id)
      return Effect.succeed(after)
    }

    const find: Service["find"] = (id) => {
      const stored = accounts.get(id)
      return stored === undefined ? Effect.fail(notFound("account")) : Effect.succeed(stored)
    }

    const remove: Service["remove"] = (id) => {
      const stored = accounts.get(id)
      if (stored === undefined) return Effect.fail(notFound("account"))
      const conflict = lastOf(stored.account)
      if (conflict !== undefined) return Effect.fail(conflict)
      accounts.delete(id)
      byEmail.delete(stored.account.email)
      invitations.removeIf(({ created_by }) => created_by === id)
      return Effect.void
    }

    const memberAt = (index: number, organization_id: string | undefined): Account | undefined => {
      const account = accounts.get(inOrder[index] as string)?.account
      return account?.organization_id === organization_id ? account : undefined
    }

    return Accounts.of({
      ...invitations.methods,
      accept: (hash, account, now) => Effect.suspend(() => accept(hash, account, now)),
      hasOperator: () => Effect.sync(() => hasOperator(accounts)),
      find: (id) => Effect.suspend(() => find(id)),
      findByEmail: (email) => Effect.sync(() => accounts.get(byEmail.get(email) ?? "")),
      list: ({ organization_id }, page) =>
        Effect.suspend(() => newestFirst(inOrder.length, (index) => memberAt(index, organization_id), page)),
      change: (id, patch) => Effect.suspend(() => change(id, patch)),
      remove: (id) => Effect.suspend(() => remove(id))
    })
  })
)

type Service = Accounts["Service"]
