/**
 * Who may make which call of the management API: one table, and the decisions by it. Every operation of management asks
 * here first, so that no handler, page or command can forget to.
 */
import { Effect } from "effect"
import { InsufficientScope, type NotFound, notFound, type ResourceKind } from "../Errors.ts"

/**
 * Who manages: the operator token, an operator, who runs the instance, or a member of an organization in one of three
 * roles.
 */
export const managerKinds = ["token", "operator", "owner", "developer", "billing"] as const

/** Who may call management: the operator token, an operator, or a member by role. */
export type ManagerKind = (typeof managerKinds)[number]

/** What a member of an organization can be. */
export const memberRoles = ["owner", "developer", "billing"] as const satisfies ReadonlyArray<ManagerKind>

/** What a member of an organization is there. */
export type MemberRole = (typeof memberRoles)[number]

/** What an account is for. */
export const roles = ["operator", ...memberRoles] as const

/** What somebody with an account is. */
export type Role = (typeof roles)[number]

/** Whoever makes a call of the management API. */
export interface Manager {
  readonly kind: ManagerKind
  /** How the audit log names them: an account's id, or `operator` for the operator token. */
  readonly actor: string
  /** The one organization that a member sees; undefined for those who see all. */
  readonly organization_id: string | undefined
  /** The hash of the session's token; undefined for the operator token. */
  readonly session_hash: string | undefined
}

/** Whoever holds the operator token. */
export const tokenManager: Manager = {
  kind: "token",
  actor: "operator",
  organization_id: undefined,
  session_hash: undefined
}

const operators = ["token", "operator"] as const
const owners = [...operators, "owner"] as const
const developers = [...owners, "developer"] as const
const members = [...developers, "billing"] as const
const sessions = roles
const anyone = ["nobody", ...managerKinds] as const

/**
 * The table: each call of the management API, and who may make it. Whatever it is made on, a member makes it on their own
 * organization alone. `nobody` is whoever shows no credential.
 */
export const managementAccess = {
  createOrganization: operators,
  listOrganizations: members,
  getOrganization: members,
  updateOrganization: operators,
  submitKyb: owners,
  renameOrganization: owners,
  directory: members,
  createKey: developers,
  listKeys: developers,
  getKey: developers,
  keyTraffic: developers,
  rotateKey: developers,
  revokeKey: developers,
  grantCredits: operators,
  credits: members,
  setLowBalance: [...owners, "billing"],
  usage: members,
  createAccessRequest: developers,
  listAccessRequests: developers,
  decideAccessRequest: operators,
  saveEndUser: operators,
  saveEndUsers: operators,
  countEndUsers: operators,
  findEndUser: operators,
  getEndUser: operators,
  removeEndUser: operators,
  createWebhook: developers,
  listWebhooks: members,
  removeWebhook: developers,
  rotateWebhookSecret: developers,
  testWebhook: developers,
  listDeliveries: members,
  retryDelivery: developers,
  audit: owners,
  listOperators: operators,
  inviteOperator: operators,
  listOperatorInvitations: operators,
  listMembers: members,
  inviteMember: owners,
  listInvitations: owners,
  withdrawInvitation: owners,
  changeRole: owners,
  removeAccount: owners,
  acceptInvitation: anyone,
  showInvitation: anyone,
  signIn: anyone,
  getOwnAccount: sessions,
  renameOwnAccount: sessions,
  changePassword: sessions,
  signOut: sessions,
  signOutEverywhere: sessions,
  listPasskeys: sessions,
  startPasskey: sessions,
  addPasskey: sessions,
  removePasskey: sessions,
  passkeyChallenge: anyone,
  signInWithPasskey: anyone
} as const satisfies Readonly<Record<string, ReadonlyArray<ManagerKind | "nobody">>>

/** The name of a call of management. */
export type ManagementCall = keyof typeof managementAccess

/** Whether a manager may make a call at all. */
export const isPermitted = ({ kind }: Manager, call: ManagementCall): boolean => kindsOf(call).includes(kind)

/** Fails for a manager who may not make a call at all. */
export const permit = (manager: Manager, call: ManagementCall): Effect.Effect<void, InsufficientScope> =>
  isPermitted(manager, call)
    ? Effect.void
    : Effect.fail(
        new InsufficientScope({
          message: `${nameOf(manager.kind)} may not do this: ${kindsOf(call).map(nameOf).join(", ")} may`
        })
      )

const kindsOf = (call: ManagementCall): ReadonlyArray<ManagerKind | "nobody"> => managementAccess[call]

/**
 * Whether a manager may make a call on something. For a member, what is not of their own organization is not there: they
 * get the very answer that an id gets which leads nowhere.
 *
 * @param organization_id whose it is; undefined if it is the instance's
 * @param what it is, for that answer
 */
export const permitOn = (
  manager: Manager,
  call: ManagementCall,
  organization_id: string | undefined,
  what: ResourceKind = "organization"
): Effect.Effect<void, InsufficientScope | NotFound> =>
  Effect.andThen(
    permit(manager, call),
    manager.organization_id === undefined || manager.organization_id === organization_id
      ? Effect.void
      : Effect.fail(notFound(what))
  )

/**
 * The filter of a list as a manager may use it: for a member it is that of their own organization, and undefined where
 * they ask for another, of which there is nothing to be seen.
 */
export const filterFor = <F extends { readonly organization_id?: string }>(
  { organization_id }: Manager,
  filter: F
): F | undefined => {
  if (organization_id === undefined) return filter
  const { organization_id: asked = organization_id } = filter
  return asked === organization_id ? { ...filter, organization_id } : undefined
}

const nameOf = (kind: ManagerKind | "nobody"): string => {
  switch (kind) {
    case "nobody":
      return "anyone"
    case "token":
      return "the operator token"
    case "operator":
      return "an operator"
    default:
      return `the role ${kind}`
  }
}
