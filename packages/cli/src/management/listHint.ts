/** The command that lists the ids of a resource. */
import type { ResourceKind } from "@postcode/gateway/Errors"
import { commandName } from "@postcode/server/process/CommandName"

/** The end of the service's message on an unknown id: `: postcode orgs list shows the ids`; empty for other messages. */
export const listHint = (message: string): string => {
  const [, kind] = /^there is no (.+) with this id$/.exec(message) ?? []
  const command = kind === undefined ? undefined : lists[kind]
  return command === undefined ? "" : `: ${commandName()} ${command} shows the ids`
}

/** By the kind of resource; undefined for those that no command lists. */
const lists: Readonly<Partial<Record<string, string>>> = {
  "access request": "access list",
  account: "members list ORG",
  delivery: "webhooks deliveries WEBHOOK",
  invitation: "invitations list",
  key: "keys list ORG",
  "management key": "management-keys list ORG",
  organization: "orgs list",
  webhook: "webhooks list ORG"
} satisfies Partial<Record<ResourceKind, string>>
