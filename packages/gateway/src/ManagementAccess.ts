/**
 * Access control of the management API: one table, and the decisions based on it. Every use case of management checks
 * it first, so that no handler, page or command can omit it.
 */
import { Effect } from "effect"
import { InsufficientScope, type NotFound, notFound, type ResourceKind } from "./Errors.ts"

/** The roles of members and of management keys. */
export const memberRoles = ["owner", "developer", "billing"] as const

/** The role of a member. */
export type MemberRole = (typeof memberRoles)[number]

/** A kind of management key: `owner_key` for a key with the role owner. */
export type ManagementKeyKind = `${MemberRole}_key`

/**
 * The kinds of managers: the operator token; an operator, who runs the instance; a member of an organization, or one of
 * its management keys, by role; and an account of several organizations that acts in none of them.
 */
export const managerKinds = [
  "token",
  "operator",
  ...memberRoles,
  "owner_key",
  "developer_key",
  "billing_key",
  "account"
] as const satisfies ReadonlyArray<MemberRole | ManagementKeyKind | "account" | "operator" | "token">

/** A kind of manager. */
export type ManagerKind = (typeof managerKinds)[number]

/** All roles of accounts. */
export const roles = ["operator", ...memberRoles] as const

/** The role of an account, in an organization or in the instance. */
export type Role = (typeof roles)[number]

/** The caller of the management API. */
export interface Manager {
  readonly kind: ManagerKind
  /** Name in the audit log: the id of an account or of a management key, or `operator` for the operator token. */
  readonly actor: string
  /** The organization that a member or a management key acts in and is restricted to; undefined otherwise. */
  readonly organization_id: string | undefined
  /** The hash of the console session's token; undefined without a session. */
  readonly session_hash: string | undefined
}

/** The manager with the operator token. */
export const tokenManager: Manager = {
  kind: "token",
  actor: "operator",
  organization_id: undefined,
  session_hash: undefined
}

const operators = ["token", "operator"] as const
const owners = [...operators, "owner", "owner_key"] as const
const developers = [...owners, "developer", "developer_key"] as const
const members = [...developers, "billing", "billing_key"] as const
/** For calls that give access to others. A leaked management key must not create access that outlives its revocation. */
const owningPeople = [...operators, "owner"] as const
const developingPeople = [...owningPeople, "developer"] as const
const sessions = [...roles, "account"] as const
const anyone = ["nobody", ...managerKinds] as const

/**
 * The calls of the management API, and the kinds of managers that each allows. Members and management keys are always
 * restricted to their own organization. `nobody` is a caller without a credential.
 */
export const managementAccess = {
  createOrganization: operators,
  listOrganizations: members,
  getOrganization: members,
  updateOrganization: operators,
  suspendOrganization: operators,
  resumeOrganization: operators,
  closeOrganization: operators,
  submitKyb: owners,
  renameOrganization: owners,
  directory: members,
  changeDirectory: operators,
  getUnit: operators,
  openImport: operators,
  addImportPart: operators,
  runImport: operators,
  getImport: operators,
  cancelImport: operators,
  createKey: developers,
  listKeys: developers,
  getKey: developers,
  keyTraffic: developers,
  updateKey: developers,
  rotateKey: developers,
  revokeKey: developers,
  grantCredits: operators,
  correctCredits: operators,
  creditDays: operators,
  credits: members,
  setLowBalance: [...owners, "billing", "billing_key"],
  usage: members,
  selections: members,
  createAccessRequest: developers,
  listAccessRequests: developers,
  decideAccessRequest: operators,
  saveEndUser: operators,
  saveEndUsers: operators,
  countEndUsers: operators,
  findEndUser: operators,
  getEndUser: operators,
  removeEndUser: operators,
  getWidgetSettings: members,
  setWidgetSettings: owners,
  createProofKey: developingPeople,
  createWebhook: developers,
  listWebhooks: members,
  removeWebhook: developers,
  rotateWebhookSecret: developers,
  testWebhook: developers,
  listDeliveries: members,
  retryDelivery: developers,
  startListener: developers,
  receiveDelivery: developers,
  triggerEvent: developers,
  audit: owners,
  listNotices: operators,
  countReviews: operators,
  listOperators: operators,
  inviteOperator: operators,
  listOperatorInvitations: operators,
  listMembers: members,
  inviteMember: owningPeople,
  listInvitations: owners,
  withdrawInvitation: owningPeople,
  changeRole: owningPeople,
  removeMember: owningPeople,
  removeAccount: operators,
  createManagementKey: owningPeople,
  listManagementKeys: owners,
  revokeManagementKey: owners,
  whoAmI: managerKinds,
  describeOAuth: anyone,
  startDeviceLogin: anyone,
  pollDeviceLogin: anyone,
  findDeviceLogin: [...memberRoles, "account"],
  denyDeviceLogin: [...memberRoles, "account"],
  approveDeviceLogin: memberRoles,
  joinByInvitation: sessions,
  listOwnOrganizations: sessions,
  openOrganization: sessions,
  changeAddress: sessions,
  signUpState: anyone,
  requestSignUp: anyone,
  confirmSignUp: anyone,
  requestPassword: anyone,
  resetPassword: anyone,
  confirmAddress: anyone,
  undoAddress: anyone,
  getSignUp: operators,
  stopSignUp: operators,
  leaveOrganization: [...memberRoles, "account"],
  acceptInvitation: anyone,
  showInvitation: anyone,
  signIn: anyone,
  getOwnAccount: sessions,
  renameOwnAccount: sessions,
  changePassword: sessions,
  signOut: sessions,
  signOutEverywhere: sessions,
  getMailPreferences: sessions,
  setMailPreferences: sessions,
  listPasskeys: sessions,
  startPasskey: sessions,
  addPasskey: sessions,
  removePasskey: sessions,
  passkeyChallenge: anyone,
  signInWithPasskey: anyone
} as const satisfies Readonly<Record<string, ReadonlyArray<ManagerKind | "nobody">>>

/** A call of the management API. */
export type ManagementCall = keyof typeof managementAccess

/**
 * The calls that are left to members and management keys of a suspended or closed organization: what reads, and what is about the own
 * account.
 */
const callsWhileSuspended: ReadonlySet<ManagementCall> = new Set([
  "listOrganizations",
  "getOrganization",
  "directory",
  "listKeys",
  "getKey",
  "keyTraffic",
  "credits",
  "usage",
  "selections",
  "listAccessRequests",
  "listWebhooks",
  "listDeliveries",
  "getWidgetSettings",
  "audit",
  "listMembers",
  "listInvitations",
  "listManagementKeys",
  "whoAmI",
  "joinByInvitation",
  "listOwnOrganizations",
  "changeAddress",
  "leaveOrganization",
  "getOwnAccount",
  "renameOwnAccount",
  "changePassword",
  "signOut",
  "signOutEverywhere",
  "getMailPreferences",
  "setMailPreferences",
  "listPasskeys",
  "startPasskey",
  "addPasskey",
  "removePasskey"
])

/** Whether a manager may make a call. */
export const isPermitted = ({ kind }: Manager, call: ManagementCall): boolean => kindsOf(call).includes(kind)

/** Whether a manager sees the notes of reviews of its organization: operators and owners do. */
export const seesReviews = ({ kind }: Manager): boolean => (owners as ReadonlyArray<ManagerKind>).includes(kind)

/** Whether a manager may make a call only while the own organization is neither suspended nor closed. */
export const needsActiveOrganization = (manager: Manager, call: ManagementCall): boolean =>
  manager.organization_id !== undefined && isPermitted(manager, call) && !callsWhileSuspended.has(call)

/** Fails if a manager may not make a call. */
export const permit = (manager: Manager, call: ManagementCall): Effect.Effect<void, InsufficientScope> =>
  isPermitted(manager, call)
    ? Effect.void
    : Effect.fail(
        new InsufficientScope({
          message: `${nameOf(manager.kind)} may not do this: ${permittedNames(call).join(", ")} may${hintFor(manager)}`
        })
      )

const hintFor = ({ kind }: Manager): string =>
  kind === "account" ? ". Name the organization in the header X-Organization" : ""

/** Management keys are not listed: at most they may do what their role may. */
const permittedNames = (call: ManagementCall): ReadonlyArray<string> =>
  kindsOf(call).flatMap((kind) => (isManagementKey(kind) || kind === "account" ? [] : [nameOf(kind)]))

const kindsOf = (call: ManagementCall): ReadonlyArray<ManagerKind | "nobody"> => managementAccess[call]

/**
 * Whether a manager may make a call on a resource. For a member, resources of other organizations fail exactly as
 * unknown ids do.
 *
 * @param organization_id the owner; undefined for resources of the instance
 * @param what the kind of resource, for the error
 */
export const permitOn = (
  manager: Manager,
  call: ManagementCall,
  organization_id: string | undefined,
  what: ResourceKind = "organization"
): Effect.Effect<void, InsufficientScope | NotFound> =>
  Effect.andThen(
    permit(manager, call),
    isUnrestricted(manager) || manager.organization_id === organization_id ? Effect.void : Effect.fail(notFound(what))
  )

/**
 * Finds a resource on which a manager may make a call. A manager that may not make the call at all learns nothing of the
 * resource.
 */
export const permitFound = <A extends { readonly organization_id?: string }, E, R>(
  manager: Manager,
  call: ManagementCall,
  find: Effect.Effect<A, E, R>,
  what: ResourceKind
): Effect.Effect<A, E | InsufficientScope | NotFound, R> =>
  permit(manager, call).pipe(
    Effect.andThen(find),
    Effect.tap(({ organization_id }) => permitOn(manager, call, organization_id, what))
  )

/**
 * Restricts the filter of a list to what a manager may see: for a member the own organization; undefined if the filter
 * is for another one, whose list is empty.
 */
export const filterFor = <F extends { readonly organization_id?: string }>(
  manager: Manager,
  filter: F
): F | undefined => {
  if (isUnrestricted(manager)) return filter
  const { organization_id } = manager
  if (organization_id === undefined) return undefined
  const { organization_id: asked = organization_id } = filter
  return asked === organization_id ? { ...filter, organization_id } : undefined
}

/** Whether a manager sees every organization. */
export const isUnrestricted = ({ kind }: Manager): boolean => (operators as ReadonlyArray<ManagerKind>).includes(kind)

const nameOf = (kind: ManagerKind | "nobody"): string => {
  switch (kind) {
    case "nobody":
      return "anyone"
    case "token":
      return "the operator token"
    case "operator":
      return "an operator"
    case "account":
      return "an account of several organizations, in none of them,"
    case "owner":
    case "developer":
    case "billing":
      return `the role ${kind}`
    default:
      return `a management key, here with the role ${roleOf(kind)},`
  }
}

/** The role that a manager has; none for an account that acts in no organization. */
export const roleOf = (kind: Exclude<ManagerKind, "account">): Role =>
  kind === "token" ? "operator" : isManagementKey(kind) ? (kind.slice(0, -"_key".length) as MemberRole) : kind

/** The account that a manager is, with its role; undefined for a manager that is none. */
export const makerOf = ({
  actor,
  kind,
  organization_id
}: Manager): { readonly id: string; readonly role: Role; readonly organization_id?: string } | undefined =>
  kind === "token" || kind === "account"
    ? undefined
    : { id: actor, role: roleOf(kind), ...(organization_id !== undefined && { organization_id }) }

/** The roles whose management keys may make no call that an account with a role may not make: that role at least. */
export const rolesWithin = (role: MemberRole): ReadonlyArray<MemberRole> =>
  memberRoles.filter((other) =>
    Object.values<ReadonlyArray<ManagerKind | "nobody">>(managementAccess).every(
      (kinds) => kinds.includes(role) || !kinds.includes(`${other}_key`)
    )
  )

/** Whether a manager is a management key. */
export const isManagementKey = (kind: ManagerKind | "nobody"): kind is ManagementKeyKind => kind.endsWith("_key")
