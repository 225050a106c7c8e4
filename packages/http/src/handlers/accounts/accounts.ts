import type { Invitation, Member } from "@postcode/gateway/accounts/Account"
import {
  type CreatedInvitation,
  type CreatedMemberInvitation,
  manageInvitations
} from "@postcode/gateway/accounts/invitations/manageInvitations"
import { manageAccounts } from "@postcode/gateway/accounts/manageAccounts"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import type { Page } from "@postcode/gateway/Page"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"
import { asData } from "../asData.ts"
import { pageRequest } from "../page.ts"
import { managementKeyHandlers } from "./managementKeys.ts"
import { signUpSwitchHandlers } from "./signUp.ts"

/** @param mapStyle the operator's style for maps */
export const accountsHandlers = Effect.fnUntraced(function* (mapStyle: string | undefined) {
  const accounts = yield* manageAccounts
  const invitations = yield* manageInvitations

  const handlers: GroupHandlers<"accounts"> = {
    ...(yield* managementKeyHandlers(mapStyle)),
    ...(yield* signUpSwitchHandlers),
    listOperators: ({ manager, query }) =>
      Effect.map(accounts.list(undefined, pageRequest(query), manager as Manager), memberPage),
    listMembers: ({ manager, params, query }) =>
      Effect.map(accounts.list(params.id, pageRequest(query), manager as Manager), memberPage),
    changeRole: ({ manager, params, payload }) =>
      Effect.map(accounts.changeRole(memberId(params), payload.role, manager as Manager), asData),
    removeMember: ({ manager, params }) =>
      Effect.map(accounts.removeMember(memberId(params), manager as Manager), ({ id }) => ({ data: { id } })),
    removeAccount: ({ manager, params }) =>
      Effect.map(accounts.remove(params.id, manager as Manager), ({ id }) => ({ data: { id } })),
    inviteOperator: ({ manager, payload }) =>
      Effect.map(invitations.inviteOperator(payload.email, manager as Manager), created),
    inviteMember: ({ manager, params, payload }) =>
      Effect.map(invitations.inviteMember(params.id, payload, manager as Manager), createdMember),
    listOperatorInvitations: ({ manager, query }) =>
      Effect.map(invitations.list(undefined, pageRequest(query), manager as Manager), invitationPage),
    listInvitations: ({ manager, params, query }) =>
      Effect.map(invitations.list(params.id, pageRequest(query), manager as Manager), invitationPage),
    withdrawInvitation: ({ manager, params: { id } }) =>
      Effect.as(invitations.withdraw(id, manager as Manager), { data: { id } })
  }
  return handlers
})

const memberId = ({ account, id }: { readonly account: string; readonly id: string }) => ({
  organization_id: id,
  account_id: account
})

const memberPage = ({ items, next_cursor }: Page<Member>) => ({ data: { accounts: items, next_cursor } })

const invitationPage = ({ items, next_cursor }: Page<Invitation>) => ({
  data: { invitations: items.map(shown), next_cursor }
})

const created = ({ invitation, token }: CreatedInvitation) => ({
  data: { ...shown(invitation), token: Redacted.value(token) }
})

const createdMember = ({ invitation, token }: CreatedMemberInvitation) => ({
  data: { ...shown(invitation), ...(token !== undefined && { token: Redacted.value(token) }) }
})

/** `is_claim` is internal and not part of the wire format. */
const shown = ({ is_claim, ...invitation }: Invitation) => invitation
