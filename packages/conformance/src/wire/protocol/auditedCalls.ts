/** The calls of the management API with and without an entry in the audit log. */
import type { AuditAction } from "@postcode/gateway/audit/AuditLog"
import { describe, expect, it } from "vitest"
import type { World } from "../../world/World.ts"
import { endpointOf, endpoints, type Operation } from "../Contract.ts"
import { dataOf, outcomeOf } from "../Received.ts"
import { makeScene, sampleMessage } from "../Samples.ts"

/** The action of each audited call. Calls that read are audited if they show personal data. */
const noted: Partial<Readonly<Record<Operation, AuditAction | ReadonlyArray<AuditAction>>>> = {
  "management.createOrganization": "organization.created",
  "management.updateOrganization": "organization.updated",
  "management.renameOrganization": "organization.updated",
  "management.submitKyb": "organization.kyb_submitted",
  "management.suspendOrganization": "organization.suspended",
  "management.resumeOrganization": "organization.resumed",
  "management.closeOrganization": "organization.closed",
  "management.createKey": "key.created",
  "management.updateKey": "key.updated",
  "management.rotateKey": "key.rotated",
  "management.revokeKey": "key.revoked",
  "management.grantCredits": "credits.granted",
  "management.correctCredits": "credits.corrected",
  "management.setLowBalance": "credits.threshold_set",
  "management.createAccessRequest": "access_request.created",
  "management.decideAccessRequest": "access_request.decided",
  "management.saveEndUser": "end_user.saved",
  "management.saveEndUsers": "end_user.saved",
  "management.findEndUser": "end_user.searched",
  "management.getEndUser": "end_user.viewed",
  "management.removeEndUser": "end_user.removed",
  "management.setWidgetSettings": "widget.settings_changed",
  "management.createProofKey": "widget.proof_key_created",
  "management.createWebhook": "webhook.created",
  "management.removeWebhook": "webhook.removed",
  "management.rotateWebhookSecret": "webhook.secret_rotated",
  "management.testWebhook": "webhook.tested",
  "management.retryDelivery": "webhook.retried",
  "management.startListener": "webhook.listened",
  "management.triggerEvent": "webhook.triggered",
  "accounts.inviteOperator": "invitation.created",
  "accounts.inviteMember": "invitation.created",
  "accounts.withdrawInvitation": "invitation.withdrawn",
  "accounts.changeRole": "account.role_changed",
  "accounts.removeMember": "account.removed",
  "accounts.removeAccount": "account.removed",
  "accounts.createManagementKey": "management_key.created",
  "accounts.revokeManagementKey": "management_key.revoked",
  "account.acceptInvitation": "account.created",
  "account.joinByInvitation": "account.joined",
  "account.leaveOrganization": "account.removed",
  "accounts.stopSignUp": "sign_up.stopped",
  "account.pollDeviceLogin": "management_key.created",
  "account.openOrganization": ["account.joined", "organization.created"],
  "account.changeAddress": "account.address_requested",
  "account.confirmSignUp": ["account.created", "organization.created"],
  "account.resetPassword": "account.password_reset",
  "account.confirmAddress": "account.address_changed",
  "account.undoAddress": "account.address_restored",
  "account.signIn": "account.signed_in",
  "account.renameOwnAccount": "account.renamed",
  "account.setMailPreferences": "account.mail_changed",
  "account.changePassword": "account.password_changed",
  "account.signOut": "account.signed_out",
  "account.signOutEverywhere": "account.signed_out_everywhere",
  "passkeys.signInWithPasskey": "account.signed_in",
  "passkeys.addPasskey": "passkey.added",
  "passkeys.removePasskey": "passkey.removed"
}

/** Calls with a method other than GET that have no entry, and why. */
const exceptions: Partial<Readonly<Record<Operation, string>>> = {
  "management.changeDirectory": "the sample is a dry run; what is applied is noted, see suites/directory/changes.ts",
  "management.openImport": "what is imported is noted, see suites/directory/imports.ts",
  "management.addImportPart": "the same",
  "management.runImport": "the same; the sample is a dry run",
  "management.cancelImport": "the same; nothing was changed",
  "management.receiveDelivery": "a program receives what is due; that it listens is noted",
  "account.startDeviceLogin": "a login is nothing until an account agrees",
  "account.findDeviceLogin": "reads a login, by its code",
  "account.denyDeviceLogin": "changes nothing",
  "account.approveDeviceLogin": "the key that the device then gets is noted",
  "account.showInvitation": "reads an invitation, by its token",
  "account.requestSignUp": "opens nothing until the link is used; the notice is stored",
  "account.requestPassword": "changes nothing until the link is used; the notice is stored",
  "passkeys.passkeyChallenge": "makes a challenge that names nobody and ends after minutes",
  "passkeys.startPasskey": "makes a challenge; the passkey that answers it is noted"
}

export const auditedCalls = (world: World): void => {
  describe("the audit log", () => {
    it("covers each management call with a method other than GET, except the listed ones", () => {
      const changing = endpoints.filter(({ method, path }) => /^\/v1\/(?:admin|oauth)\//.test(path) && method !== "GET")
      const known = [...Object.keys(noted), ...Object.keys(exceptions)] as ReadonlyArray<Operation>
      const knownChanging = known.filter((operation) => endpointOf(operation).method !== "GET")
      expect(changing.map(({ operation }) => operation).toSorted()).toEqual(knownChanging.toSorted())
    })

    for (const [operation, action] of Object.entries(noted) as ReadonlyArray<
      readonly [Operation, AuditAction | ReadonlyArray<AuditAction>]
    >) {
      it(`has one entry of each action for ${operation}: ${action}`, async () => {
        expect(await newActions(world, operation)).toEqual([action].flat())
      })
    }

    for (const operation of Object.keys(exceptions) as ReadonlyArray<Operation>) {
      it(`has no entry for ${operation}`, async () => {
        expect(await newActions(world, operation)).toEqual([])
      })
    }
  })
}

/** The actions of the entries that a call adds. */
const newActions = async (world: World, operation: Operation): Promise<ReadonlyArray<string>> => {
  const scene = await makeScene(world.operator, operation)
  world.client.newVisitor()
  const [last] = await newestEvents(world)
  const received = await world.client.send(sampleMessage(operation, scene))
  expect(outcomeOf(received)).toBe(String(endpointOf(operation).successStatus))
  const events = await newestEvents(world)
  return events
    .slice(
      0,
      events.findIndex(({ id }) => id === last?.id)
    )
    .map(({ action }) => action)
}

const newestEvents = async ({ operator }: World) => {
  const listed = await operator.call("GET", "/v1/admin/audit?limit=10")
  return dataOf<{ readonly events: ReadonlyArray<{ readonly id: string; readonly action: string }> }>(listed).events
}
