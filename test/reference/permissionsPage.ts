/** The reference of permissions, made from the contract and from what core allows to each role. */

import { endpoints } from "../../packages/conformance/src/wire/Contract.ts"
import {
  type ManagementCall,
  type ManagerKind,
  managementAccess,
  memberRoles
} from "../../packages/gateway/src/ManagementAccess.ts"
import type { Page } from "./Page.ts"

const columns: ReadonlyArray<ManagerKind | "nobody"> = ["token", "operator", "owner", "developer", "billing", "nobody"]

export const permissionsPage = (): Page => {
  const text = [
    "# Permissions",
    "Which role may make which call of the management API.",
    'In the columns of roles, "yes" is for members and management keys with that role, and "(yes)" for members only. "token" is the operator token, and "nobody" a caller without a credential. [Accounts](../accounts.md#permissions) has the rules that apply to all calls.',
    [
      `| Call, under \`/v1/admin\` | ${columns.join(" | ")} |`,
      `| --- | ${columns.map(() => "---").join(" | ")} |`,
      ...rows().map((cells) => `| ${cells.join(" | ")} |`)
    ].join("\n")
  ]
  return { path: "docs/reference/permissions.md", text: `${text.join("\n\n")}\n` }
}

const prefix = "/v1/admin"

const rows = (): ReadonlyArray<ReadonlyArray<string>> =>
  endpoints
    .filter(({ path }) => path.startsWith(`${prefix}/`))
    .map(({ method, operation, path }) => {
      const kinds: ReadonlyArray<string> = managementAccess[operation.split(".")[1] as ManagementCall]
      const call = `\`${method} ${path.slice(prefix.length).replace(/:(\w+)/, "{$1}")}\``
      return [call, ...columns.map((kind) => cellOf(kinds, kind))]
    })

/** A role that a call allows to members, but not to management keys, is marked. */
const cellOf = (kinds: ReadonlyArray<string>, kind: ManagerKind | "nobody"): string => {
  if (!kinds.includes(kind)) return ""
  return memberRoles.some((role) => role === kind) && !kinds.includes(`${kind}_key`) ? "(yes)" : "yes"
}
