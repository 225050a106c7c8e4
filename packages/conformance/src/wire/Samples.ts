/** A successful request for each endpoint, given the ids of a scene. */

import { deviceGrant } from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { unsubscribeToken } from "@postcode/gateway/notices/unsubscribe"
import { layerNodeSecrets } from "@postcode/node/secrets"
import { Effect } from "effect"
import { SoftAuthenticator } from "../devices/index.ts"
import { fixtureEdition, postcodes } from "../world/FixtureDirectory.ts"
import {
  fromOwnPage,
  newEmail,
  type Operator,
  signUpPassword,
  type TestAccount,
  type TestKey
} from "../world/Operator.ts"
import { operatorToken } from "../world/OperatorToken.ts"
import { form, json, type Message, url } from "../world/TestClient.ts"
import { testPepper } from "../world/World.ts"
import { endpointOf, type Operation } from "./Contract.ts"
import { chosen, clearImport, openImport, smallFiles, uploadImport } from "./directory/ImportScene.ts"
import { dataOf } from "./Received.ts"

/** The data of the samples: an organization with a key, a pending access request, a member and a pending invitation. */
export interface Scene {
  readonly organization: string
  readonly key: string
  readonly access_request: string
  readonly end_user: string
  /** A webhook of the organization, and a pending delivery. */
  readonly webhook: string
  readonly delivery: string
  /** The secret of the key. */
  readonly secret: string
  /** A publishable key of the same organization. */
  readonly publishable: string
  /** The token of a widget session of this key. */
  readonly session: string
  /** A member of the organization, signed in. */
  readonly person: TestAccount
  /** The id of that member's account: the `:account` in the path. */
  readonly account: string
  /** A pending invitation, and its token. */
  readonly invitation: string
  readonly invitation_token: string
  /** The token of a link that was sent by mail, or the code of the login of a device, if the operation takes one. */
  readonly link_token: string
  /** A passkey of that member, and the answer of a device, if the operation is about passkeys. */
  readonly passkey: string
  readonly credential: object
  /** An import of two files, if the operation is about imports. */
  readonly directory_import: string
  /** A management key of the organization, if the operation is about management keys. */
  readonly management_key: string
}

/** A request that succeeds. */
export interface Sample {
  /** The `:id` in the path. */
  readonly id?:
    | "access_request"
    | "account"
    | "delivery"
    | "directory_import"
    | "end_user"
    | "invitation"
    | "key"
    | "management_key"
    | "organization"
    | "passkey"
    | "webhook"
  /** The `:postcode` in the path. */
  readonly postcode?: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The fields of the body that depend on the scene. */
  readonly bodyOf?: (scene: Scene) => Readonly<Record<string, unknown>>
  /** Whether the account of the scene sends it, instead of the operator token. */
  readonly byPerson?: true
}

/** The token of a mail to an account that is gone. */
const mailToken = Effect.runSync(
  Effect.map(NoticeSecrets, (links) => unsubscribeToken(links, { account_id: "acc_gone", kind: "balance_low" })).pipe(
    Effect.provide(layerNodeSecrets(testPepper))
  )
)

const listenerSecret = `whsec_${"A".repeat(43)}=`

/** A successful request of each operation. */
export const samples: Readonly<Record<Operation, Sample>> = {
  "search.autocomplete": { query: { q: "LA", limit: "5" } },
  "search.reverse": { query: { lat: "6.6018", lng: "3.3515", max_distance_m: "25" } },
  "search.nearby": { query: { lat: "6.6018", lng: "3.3515", radius: "300", limit: "5" } },
  "search.address": { query: { q: "Ikeja, Lagos", limit: "3" } },
  "search.reverseBatch": { body: { points: [{ lat: 6.6018, lng: 3.3515 }], max_distance_m: 25 } },
  "search.addressBatch": { body: { queries: ["Ikeja, Lagos"], limit: 3 } },
  "lookup.single": { query: { code: postcodes.full, level: "1" } },
  "lookup.batch": { body: { level: 1, codes: [postcodes.full] } },
  "assembly.assemble": { body: { state: "LA", lga: "12", district: "A03", area: "BG", unit: "07" } },
  "assembly.disassemble": { query: { code: postcodes.full } },
  "reference.states": {},
  "reference.prices": {},
  "reference.lgas": { query: { state: "LA" } },
  "reference.districts": { query: { state: "LA", lga: "12" } },
  "reference.areas": { query: { state: "LA", lga: "12", district: "A03" } },
  "directory.changes": { query: { since: fixtureEdition.version, limit: "5", coordinates: "false" } },
  "widget.session": { body: { identifier_type: "email", identifier: "sample@example.com" } },
  "widget.bookmarks": {},
  "widget.saveBookmark": { body: { postcode: postcodes.full, label: "Home" } },
  "widget.removeBookmark": { query: { code: postcodes.full } },
  "widget.address": { query: { q: "Ikeja, Lagos", limit: "3" } },
  "widget.lookup": { query: { code: postcodes.full } },
  "widget.reverse": { query: { lat: "6.6018", lng: "3.3515", max_distance_m: "25" } },
  "widget.nearby": { query: { lat: "6.6018", lng: "3.3515", radius: "300", limit: "5" } },
  "widget.selected": { body: { postcode: postcodes.full, source: "search" } },
  "management.createOrganization": { body: { name: "Sample" } },
  "management.listOrganizations": {
    query: { limit: "2", kyb_status: "unverified", status: "active", name: "test", order: "oldest" }
  },
  "management.getOrganization": { id: "organization" },
  "management.updateOrganization": { id: "organization", body: { name: "Sample", review_note: "reviewed" } },
  "management.createKey": {
    id: "organization",
    body: {
      name: "sample",
      kind: "publishable",
      environment: "test",
      scopes: ["search"],
      max_level: 1,
      origins: ["https://shop.example"],
      rate_limit_per_minute: 60,
      daily_credit_limit: 100,
      expires_at: "2035-01-31T12:00:00Z"
    }
  },
  "management.listKeys": { id: "organization", query: { limit: "2" } },
  "management.getKey": { id: "key" },
  "management.keyTraffic": { id: "key" },
  "management.updateKey": {
    id: "key",
    body: { name: "changed", allowed_ips: ["203.0.113.0/24"], rate_limit_per_minute: 60, daily_credit_limit: null }
  },
  "management.rotateKey": { id: "key", body: { overlap: "24h" } },
  "management.revokeKey": { id: "key" },
  "management.grantCredits": { id: "organization", body: { amount: 5, environment: "test", reference: "sample" } },
  "management.correctCredits": {
    id: "organization",
    body: { amount: -5, environment: "test", kind: "adjustment", reason: "sample", reference: "sample" }
  },
  "management.credits": { id: "organization", query: { environment: "test", limit: "2" } },
  "management.creditDays": { query: { environment: "test", from: "2026-01-01", to: "2026-01-31" } },
  "management.usage": { id: "organization", query: { environment: "test", from: "2026-01-01", to: "2026-01-31" } },
  "management.selections": { id: "organization", query: { environment: "test", from: "2026-01-01", to: "2026-01-31" } },
  "management.createAccessRequest": { id: "organization", body: { level: 4, reason: "sample" } },
  "management.listAccessRequests": {
    query: { limit: "2", status: "pending", organization_id: "org_none", order: "oldest" }
  },
  "management.decideAccessRequest": { id: "access_request", body: { decision: "rejected", note: "sample" } },
  "management.saveEndUser": {
    body: { identifiers: ["sample@example.com"], bookmarks: [{ postcode: postcodes.full, label: "Home" }] }
  },
  "management.saveEndUsers": {
    body: { end_users: [{ identifiers: ["sample@example.com"], bookmarks: [] }] }
  },
  "management.countEndUsers": {},
  "management.findEndUser": { body: { identifier: "found@example.com" } },
  "management.getEndUser": { id: "end_user" },
  "management.removeEndUser": { id: "end_user" },
  "management.submitKyb": {
    id: "organization",
    body: { business_name: "Sample Ltd", registration_number: "RC 1", note: "sample" }
  },
  "management.renameOrganization": { id: "organization", body: { name: "Sample" } },
  "management.suspendOrganization": { id: "organization", body: { reason: "sample" } },
  "management.resumeOrganization": { id: "organization", body: { reason: "sample" } },
  "management.closeOrganization": { id: "organization", body: { reason: "sample" } },
  "management.directory": {},
  "management.changeDirectory": {
    body: {
      reason: "sample",
      reference: "sample",
      dry_run: true,
      changes: [{ change: "set", postcode: postcodes.full, attributes: { building_type: "bungalow" } }]
    }
  },
  "management.getUnit": { postcode: postcodes.full },
  "management.getImport": {},
  "management.openImport": { body: chosen(smallFiles) },
  "management.addImportPart": {
    id: "directory_import",
    body: { file: "places", offset: 0, pieces: [Buffer.from(smallFiles.places).toString("base64")] }
  },
  "management.runImport": { id: "directory_import", body: { dry_run: true } },
  "management.cancelImport": { id: "directory_import" },
  "management.setLowBalance": { id: "organization", body: { environment: "test", threshold: 50 } },
  "management.getWidgetSettings": { id: "organization" },
  "management.setWidgetSettings": { id: "organization", body: { own_bookmarks: true, bookmarks_without_proof: false } },
  "management.createProofKey": { id: "organization" },
  "management.createWebhook": { id: "organization", body: { url: "https://example.com/hooks", description: "Sample" } },
  "management.listWebhooks": { id: "organization" },
  "management.removeWebhook": { id: "webhook" },
  "management.rotateWebhookSecret": { id: "webhook" },
  "management.testWebhook": { id: "webhook" },
  "management.listDeliveries": { id: "webhook", query: { limit: "2" } },
  "management.retryDelivery": { id: "delivery" },
  "management.startListener": {
    id: "organization",
    body: { url: "http://localhost:4000/hook", description: "Sample", secret: listenerSecret }
  },
  "management.receiveDelivery": {
    id: "webhook",
    bodyOf: ({ delivery }) => ({ result: { delivery_id: delivery, lease: 1, fault: "the connection was refused" } })
  },
  "management.triggerEvent": { id: "organization", body: { event: "credits.low", all: true } },
  "management.listNotices": { query: { limit: "2", status: "pending", kind: "invitation" } },
  "management.countReviews": {},
  "management.audit": {
    query: {
      limit: "2",
      action: "key.created,key.revoked",
      organization_id: "org_none",
      actor: "operator",
      subject: "key_none",
      from: "2026-01-01T00:00:00Z",
      to: "2036-01-01T00:00:00Z"
    }
  },
  "accounts.listOperators": { query: { limit: "2" } },
  "accounts.inviteOperator": { body: { email: "invited@sample.example" } },
  "accounts.listOperatorInvitations": { query: { limit: "2" } },
  "accounts.listMembers": { id: "organization", query: { limit: "2" } },
  "accounts.inviteMember": { id: "organization", body: { role: "billing", email: "invited@sample.example" } },
  "accounts.listInvitations": { id: "organization", query: { limit: "2" } },
  "accounts.withdrawInvitation": { id: "invitation" },
  "accounts.changeRole": { id: "organization", body: { role: "billing" } },
  "accounts.removeMember": { id: "organization" },
  "accounts.removeAccount": { id: "account" },
  "accounts.createManagementKey": { id: "organization", body: { name: "sample", role: "billing" } },
  "accounts.listManagementKeys": { id: "organization", query: { limit: "2" } },
  "accounts.revokeManagementKey": { id: "management_key" },
  "accounts.whoAmI": {},
  "account.describeOAuth": {},
  "account.startDeviceLogin": { body: { client_id: "sample", machine: "sample" } },
  "account.pollDeviceLogin": {
    body: { client_id: "sample", grant_type: deviceGrant },
    bodyOf: ({ link_token }) => ({ device_code: link_token })
  },
  "account.findDeviceLogin": { byPerson: true, bodyOf: ({ link_token }) => ({ user_code: link_token }) },
  "account.denyDeviceLogin": { byPerson: true, bodyOf: ({ link_token }) => ({ user_code: link_token }) },
  "account.approveDeviceLogin": {
    byPerson: true,
    id: "organization",
    bodyOf: ({ link_token }) => ({ user_code: link_token })
  },
  "account.signIn": { bodyOf: ({ person: { email, password } }) => ({ email, password }) },
  "account.acceptInvitation": {
    body: { name: "Sample", password: "a sample of a password" },
    bodyOf: ({ invitation_token }) => ({ token: invitation_token })
  },
  "account.showInvitation": { bodyOf: ({ invitation_token }) => ({ token: invitation_token }) },
  "accounts.getSignUp": {},
  "accounts.stopSignUp": { body: { is_stopped: true } },
  "account.signUpState": {},
  "account.requestSignUp": { body: { email: "new@sample.example", password: "a sample of a password" } },
  "account.confirmSignUp": {
    body: { password: signUpPassword, name: "Sample", organization_name: "Sample" },
    bodyOf: ({ link_token }) => ({ token: link_token })
  },
  "account.requestPassword": { body: { email: "new@sample.example" } },
  "account.resetPassword": {
    body: { password: "another sample of one" },
    bodyOf: ({ link_token }) => ({ token: link_token })
  },
  "account.openOrganization": { byPerson: true, body: { name: "Sample" } },
  "account.changeAddress": {
    byPerson: true,
    body: { email: "new@sample.example" },
    bodyOf: ({ person: { password } }) => ({ present_password: password })
  },
  "account.confirmAddress": { bodyOf: ({ link_token }) => ({ token: link_token }) },
  "account.undoAddress": {
    body: { password: "another sample of one" },
    bodyOf: ({ link_token }) => ({ token: link_token })
  },
  "account.joinByInvitation": { byPerson: true, bodyOf: ({ invitation_token }) => ({ token: invitation_token }) },
  "account.listOwnOrganizations": { byPerson: true },
  "account.leaveOrganization": { byPerson: true, id: "organization" },
  "account.getOwnAccount": { byPerson: true },
  "account.renameOwnAccount": { byPerson: true, body: { name: "Sample" } },
  "account.changePassword": {
    byPerson: true,
    body: { password: "another sample of one" },
    bodyOf: ({ person: { password } }) => ({ present_password: password })
  },
  "account.signOut": { byPerson: true },
  "account.getMailPreferences": { byPerson: true },
  "account.setMailPreferences": { byPerson: true, body: { off: ["balance_low"] } },
  "account.unsubscribe": { query: { token: mailToken } },
  "account.signOutEverywhere": { byPerson: true },
  "passkeys.passkeyChallenge": {},
  "passkeys.signInWithPasskey": { bodyOf: ({ credential }) => ({ credential }) },
  "passkeys.listPasskeys": { byPerson: true },
  "passkeys.startPasskey": {
    byPerson: true,
    bodyOf: ({ person: { password } }) => ({ present_password: password })
  },
  "passkeys.addPasskey": {
    byPerson: true,
    body: { name: "Sample" },
    bodyOf: ({ credential }) => ({ credential })
  },
  "passkeys.removePasskey": { byPerson: true, id: "passkey" },
  "health.live": {},
  "health.ready": {}
}

/** @param operation accounts are created only if this operation is about accounts, or by default */
export const makeScene = async (operator: Operator, operation?: Operation): Promise<Scene> => {
  const { id, organization_id, secret } = await operator.key({
    granted_level: 2,
    max_level: 2,
    kyb_status: "unverified"
  })
  const requested = await operator.call("POST", `/v1/admin/organizations/${organization_id}/access-requests`, {
    level: 3,
    reason: "for a test"
  })
  const bookmarks = [{ postcode: postcodes.full, label: "Home" }]
  const saved = await operator.call("PUT", "/v1/admin/end-users", { identifiers: ["found@example.com"], bookmarks })
  const publishable = await operator.key({ organization_id, kind: "publishable", max_level: 1 })
  const scene = {
    organization: organization_id,
    key: id,
    access_request: dataOf<{ readonly id: string }>(requested).id,
    end_user: dataOf<{ readonly id: string }>(saved).id,
    secret,
    publishable: publishable.secret,
    session: await makeSession(operator, publishable, operation),
    management_key: await makeManagementKey(operator, organization_id, operation),
    directory_import: await makeImport(operator, operation),
    ...(await makeWebhook(operator, organization_id, operation)),
    ...(await makePeople(operator, organization_id, operation))
  }
  if (/\.(resume|close)Organization$/.test(operation ?? "")) await operator.suspend(organization_id)
  // The sample of `stopSignUp` stops them for all tests.
  if (/SignUp$|\.openOrganization$/.test(operation ?? "")) {
    dataOf(await operator.call("PUT", "/v1/admin/sign-up", { is_stopped: false }))
  }
  return scene
}

const makeImport = async (operator: Operator, operation: Operation | undefined): Promise<string> => {
  if (operation === undefined || !/Import(?:Part)?$/.test(operation)) return "imp_none"
  if (operation === "management.addImportPart") return openImport(operator, smallFiles)
  const id = await uploadImport(operator)
  if (operation === "management.openImport") await clearImport(operator)
  return id
}

const makeManagementKey = async (
  operator: Operator,
  organization_id: string,
  operation?: Operation
): Promise<string> =>
  operation?.includes("ManagementKey") === true
    ? (await operator.managementKey("developer", organization_id)).id
    : "mgk_none"

/** The token of a widget session; with a proof and a bookmark for the operations that change own bookmarks. */
const makeSession = async (operator: Operator, key: TestKey, operation?: Operation): Promise<string> => {
  if (operation !== "widget.saveBookmark" && operation !== "widget.removeBookmark") return operator.session(key)
  const token = await operator.provenSession(key, `${key.id.replace("_", ".")}@example.com`)
  await operator.saveBookmark(token, { postcode: postcodes.full, label: "Home" })
  return token
}

/** Nothing is delivered, because a gateway alone does not send webhooks. */
const makeWebhook = async (
  operator: Operator,
  organization_id: string,
  operation?: Operation
): Promise<Pick<Scene, "delivery" | "webhook">> => {
  if (operation !== undefined && !/Webhook|Deliver|triggerEvent/.test(operation))
    return { webhook: "whk_none", delivery: "dlv_none" }
  const path = `/v1/admin/organizations/${organization_id}`
  const made =
    operation === "management.receiveDelivery"
      ? await operator.call("POST", `${path}/webhook-listeners`, { url: "http://localhost/", secret: listenerSecret })
      : await operator.call("POST", `${path}/webhooks`, { url: "https://example.com/hooks" })
  const { id } = dataOf<{ readonly id: string }>(made)
  const tested = await operator.call("POST", `/v1/admin/webhooks/${id}/test`)
  return { webhook: id, delivery: dataOf<{ readonly id: string }>(tested).id }
}

type People = Pick<
  Scene,
  "account" | "credential" | "invitation" | "invitation_token" | "link_token" | "passkey" | "person"
>

const makePeople = async (operator: Operator, organization_id: string, operation?: Operation): Promise<People> => {
  if (operation !== undefined && !/^(accounts|account|passkeys)\./.test(operation)) return nobody
  // A caller in the role owner can leave, too.
  if (operation === "account.leaveOrganization") await operator.account("owner", organization_id)
  const person = await operator.account("developer", organization_id)
  const invitation = await operator.invitation("developer", organization_id)
  return {
    person,
    account: person.id,
    invitation: invitation.id,
    invitation_token: invitation.token,
    link_token: "",
    passkey: "psk_none",
    credential: new SoftAuthenticator(fromOwnPage.origin).create({ challenge: "none" }),
    ...(await preparePerson(operator, operation, person))
  }
}

const nobody: People = {
  person: { id: "acc_none", email: "nobody@people.example", password: "", headers: fromOwnPage },
  account: "acc_none",
  invitation: "inv_none",
  invitation_token: "",
  link_token: "",
  passkey: "psk_none",
  credential: {}
}

/** The passkey, device answer or invitation of an account that an operation needs. */
export const preparePerson = async (
  operator: Operator,
  operation: Operation | undefined,
  person: TestAccount
): Promise<Partial<Scene>> => {
  const device = new SoftAuthenticator(fromOwnPage.origin)
  switch (operation) {
    case "passkeys.addPasskey":
      return { credential: device.create(await operator.passkeyStart(person)) }
    case "passkeys.removePasskey":
      return { passkey: await operator.passkey(person, device) }
    case "account.confirmSignUp":
      return { link_token: await operator.link("sign_up", newEmail()) }
    case "account.resetPassword":
      return { link_token: await operator.link("reset_password", person.email, person.id) }
    case "account.confirmAddress":
      return { link_token: await operator.link("new_address", newEmail(), person.id) }
    case "account.undoAddress":
      return { link_token: await operator.link("former_address", newEmail(), person.id) }
    case "account.pollDeviceLogin":
      return { link_token: await operator.approvedLogin(person) }
    case "account.findDeviceLogin":
    case "account.denyDeviceLogin":
    case "account.approveDeviceLogin":
      return { link_token: (await operator.deviceLogin()).user_code }
    case "account.joinByInvitation": {
      const { token } = await operator.invitation("billing", await operator.organization(), person.email)
      return { invitation_token: token }
    }
    case "passkeys.signInWithPasskey":
      await operator.passkey(person, device)
      return { credential: device.get(await operator.passkeyChallenge()) }
    default:
      return {}
  }
}

/**
 * The request of an operation's sample, with only the credential that the endpoint needs.
 *
 * @param changes replaces the sample's query or body
 */
export const sampleMessage = (operation: Operation, scene: Scene, changes: Partial<Sample> = {}): Message => {
  const { access, isOAuth, method, path } = endpointOf(operation)
  const { body, bodyOf, byPerson, id, postcode = "", query } = { ...samples[operation], ...changes }
  const pathOf = (id === undefined ? path : path.replace(":id", scene[id]))
    .replace(":account", scene.account)
    .replace(":postcode", postcode)
  const message: Message = {
    method,
    target: url(pathOf, query),
    ...((access === "key" || access === "secret") && { key: scene.secret }),
    ...(access === "publishable" && { key: scene.publishable }),
    ...(access === "session" && { token: scene.session }),
    ...(access === "manager" && (byPerson ? { headers: scene.person.headers } : { token: operatorToken })),
    ...(access === "visitor" && { headers: fromOwnPage })
  }
  return body === undefined && bodyOf === undefined
    ? message
    : { ...message, ...(isOAuth ? form : json)({ ...bodyOf?.(scene), ...body }, message) }
}
