/** Audit actions in words. */
import type { DataOf } from "../../client/Contract.ts"

/** An event of the audit log. */
export type AuditEvent = DataOf<"GET /v1/admin/audit">["events"][number]

/** An action of the audit log. */
export type Action = AuditEvent["action"]

type Details = AuditEvent["details"]

/**
 * The sentence of each action; it starts with the actor: `Ada Obi created the key “checkout”`.
 *
 * @param details the details of the event
 * @param subject the name of its object
 */
export const phrases: Readonly<Record<Action, (details: Details, subject: string) => string>> = {
  "organization.created": ({ name }) => `created the organization “${name}”`,
  "organization.updated": (details) => `changed the organization: ${changesIn(details)}`,
  "organization.kyb_submitted": ({ business_name }) => `requested verification as “${business_name}”`,
  "organization.suspended": ({ reason }) => `suspended the organization: “${reason}”`,
  "organization.resumed": ({ reason }) => `resumed the organization: “${reason}”`,
  "organization.closed": ({ reason, revoked_keys }) =>
    `closed the organization, with ${counted(revoked_keys, "key")} revoked: “${reason}”`,
  "key.created": ({ name }) => `created the key “${name}”`,
  "key.updated": ({ changed, prefix }) => `changed ${changed} of the key ${prefix}…`,
  "key.revoked": ({ prefix }) => `revoked the key ${prefix}…`,
  "key.rotated": ({ name, overlap }) =>
    `replaced the key “${name}”; the old one ${overlap === "now" ? "was revoked" : `works for another ${overlap}`}`,
  "credits.granted": ({ amount, environment, reference }) =>
    `granted ${counted(amount, `${environment} credit`)} for “${reference}”`,
  "credits.corrected": ({ amount, environment, kind, reason, reference }) =>
    `made ${kind === "refund" ? "a refund" : "an adjustment"} of ${counted(amount, `${environment} credit`)} for “${reference}”: “${reason}”`,
  "credits.threshold_set": ({ environment, threshold }) =>
    threshold === "none"
      ? `removed the threshold of ${environment} credits`
      : `set the threshold of ${environment} credits to ${format(threshold)}`,
  "access_request.created": ({ level }) => `requested access level ${level}`,
  "access_request.decided": ({ level, note, status }) => `${status} the request for access level ${level}: “${note}”`,
  "end_user.saved": ({ bookmarks, identifiers }) =>
    `saved an end user with ${counted(identifiers, "identifier")} and ${counted(bookmarks, "bookmark")}`,
  "end_user.searched": ({ found }) =>
    `searched for an end user by identifier, and found ${found === 0 ? "none" : "one"}`,
  "end_user.viewed": () => "viewed an end user and their bookmarks",
  "end_user.removed": () => "removed an end user",
  "widget_session.requested": ({ environment, origin }) =>
    `requested a ${environment} widget session${origin === undefined ? "" : ` on ${origin}`}`,
  "invitation.created": ({ role }) => `invited ${roleName(role)}`,
  "invitation.withdrawn": ({ role }) => `withdrew the invitation of ${roleName(role)}`,
  "account.created": ({ role }) => `created an account as ${roleName(role)}`,
  "account.renamed": () => "changed their name",
  "account.mail_changed": ({ off }) =>
    off === "" ? "switched all mail on" : `switched mail off: ${String(off).replaceAll("_", " ")}`,
  "account.joined": () => "joined with an existing account",
  "account.left": (_, subject) => `ended the membership of ${subject}`,
  "account.role_changed": ({ role }, subject) => `made ${subject} ${roleName(role)}`,
  "account.removed": (_, subject) => `removed the account of ${subject}`,
  "account.signed_in": ({ passkey }) => (passkey === undefined ? "signed in" : "signed in with a passkey"),
  "account.sign_in_failed": ({ wrong_passwords }, subject) =>
    `entered ${counted(wrong_passwords, "wrong password")} for the account of ${subject}`,
  "account.signed_out": () => "signed out",
  "account.signed_out_everywhere": () => "signed out everywhere",
  "account.password_changed": () => "changed their password",
  "account.password_reset": () => "reset their password with a link from a mail",
  "account.address_requested": () => "asked to change their address",
  "account.address_changed": () => "changed their address",
  "account.address_restored": () => "undid the change of their address, with a new password",
  "sign_up.stopped": () => "stopped sign-ups",
  "sign_up.resumed": () => "took sign-ups again",
  "passkey.added": () => "added a passkey",
  "passkey.removed": () => "removed a passkey",
  "management_key.created": ({ name, role }) => `created the management key “${name}” for ${roleName(role)}`,
  "management_key.revoked": ({ prefix }) => `revoked the management key ${prefix}…`,
  "widget.settings_changed": ({ bookmarks_without_proof, own_bookmarks }) =>
    `turned saving bookmarks ${own_bookmarks}, and reading bookmarks without a proof ${bookmarks_without_proof}`,
  "widget.proof_key_created": () => "created a proof key",
  "webhook.created": ({ host }) => `added a webhook to ${host}`,
  "webhook.removed": ({ host }) => `removed the webhook to ${host}`,
  "webhook.secret_rotated": ({ host }) => `rotated the secret of the webhook to ${host}`,
  "webhook.tested": ({ host }) => `sent a test to ${host}`,
  "webhook.retried": ({ delivery_id }) => `sent the delivery ${delivery_id} again`,
  "webhook.listened": ({ host }) => `started a listener that forwards to ${host}`,
  "webhook.triggered": ({ event, webhooks }) =>
    `sent an example of ${event} to ${webhooks === 1 ? "one webhook" : `${webhooks} webhooks`}`,
  "directory.imported": ({ date, version }, subject) =>
    `imported the directory ${version} of ${date} as edition ${subject}`,
  "directory.reverted": ({ left_version, version }, subject) =>
    `reverted the directory from ${left_version} to ${version}, edition ${subject}`,
  "directory.changed": ({ applied, reason }, subject) =>
    `changed ${counted(applied, "unit")} of the directory, now version ${subject}: “${reason}”`,
  "journal.month_dropped": (_, subject) => `deleted the month ${subject}, which was past its retention period`,
  "ledger.month_archived": ({ file }, subject) => `archived the ledger of ${subject} as ${file}`,
  "ledger.month_dropped": ({ file }, subject) => `deleted the table of the ledger of ${subject}, which ${file} contains`
}

/** Details that are not part of the sentences. */
export const restOf = ({ action, details }: AuditEvent): string =>
  Object.entries(details)
    .filter(([name]) => notInPhrase[action]?.includes(name))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "number" ? format(value) : value}`)
    .join(" · ")

const ofKeys = ["kind", "environment", "max_level", "daily_credit_limit", "expires_at"]
const ofImports = ["units", "active_units", "bad_rows", "added", "moved", "retired", "reactivated", "removed"]
const notInPhrase: Partial<Record<Action, ReadonlyArray<string>>> = {
  "key.created": ofKeys,
  "key.rotated": ofKeys,
  "directory.imported": ofImports,
  "directory.changed": ["unchanged", "reference"],
  "ledger.month_archived": ["entries", "bytes", "sha256"]
}

/** `key.created` as “key created”. */
const wordsOf = (action: Action): string => action.replace(/[._]/g, " ")

/** Values and labels of the filter: kinds of actions, and each action. */
export const actionOptions: ReadonlyArray<readonly [string, string]> = [
  ["", "All events"],
  ...Object.entries({
    "organization access_request": "Organization and reviews",
    "key management_key": "Keys",
    credits: "Credits",
    webhook: "Webhooks",
    "account invitation passkey sign_up": "Accounts",
    "end_user widget_session widget": "End users and the widget",
    "directory journal ledger": "Directory and retention"
  }).flatMap(([prefixes, title]) => {
    const actions = (Object.keys(phrases) as ReadonlyArray<Action>).filter((action) =>
      prefixes.split(" ").includes(action.slice(0, action.indexOf(".")))
    )
    return [[actions.join(","), title] as const, ...actions.map((action) => [action, `– ${wordsOf(action)}`] as const)]
  })
]

/** The actions of the address's filter; empty for all. */
export const actionsIn = (text: string): ReadonlyArray<Action> =>
  text.split(",").filter((part): part is Action => Object.hasOwn(phrases, part))

const changesIn = ({ granted_level, kyb_status, name, rate_limit_per_minute, review_note }: Details): string =>
  [
    name !== undefined && `name “${name}”`,
    granted_level !== undefined && `highest access level ${granted_level}`,
    kyb_status !== undefined && `verification ${kyb_status}`,
    rate_limit_per_minute !== undefined && `requests a minute ${rate_limit_per_minute}`,
    review_note !== undefined && `“${review_note}”`
  ]
    .filter(Boolean)
    .join(", ")

const roleName = (role: number | string | undefined): string => roles[String(role)] ?? String(role)

const roles: Readonly<Record<string, string>> = {
  billing: "a member for billing",
  developer: "a developer",
  operator: "an operator",
  owner: "an owner"
}

const counted = (count: number | string | undefined, thing: string): string =>
  `${format(count)} ${thing}${count === 1 ? "" : "s"}`

const format = (value: number | string | undefined): string =>
  typeof value === "number" ? value.toLocaleString("en") : String(value)
