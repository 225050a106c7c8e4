/** What docs/accounts.md says of who may make which call is what core decides. */
import { readFileSync } from "node:fs"
import { type ManagementCall, type ManagerKind, managementAccess, memberRoles } from "@postcode/core/ManagementAccess"
import { expect, it } from "vitest"
import { endpoints } from "../../src/testing/wire/Contract.ts"

const columns: ReadonlyArray<ManagerKind | "nobody"> = ["token", "operator", "owner", "developer", "billing", "nobody"]

it("the table of docs/accounts.md is core's, call by call", () => {
  const document = readFileSync(new URL("../../../../docs/accounts.md", import.meta.url), "utf8")
  const rows = document
    .split("\n")
    .filter((line) => /^\| `[A-Z]+ \//.test(line))
    .map((line) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1)
    )
  const expected = endpoints
    .filter(({ path }) => path.startsWith("/v1/admin"))
    .map(({ method, operation, path }) => {
      const row: ReadonlyArray<string> = managementAccess[operation.split(".")[1] as ManagementCall]
      const call = `\`${method} ${path.slice("/v1/admin".length).replace(/:(\w+)/, "{$1}")}\``
      return [call, ...columns.map((kind) => cellOf(row, kind))]
    })
  expect(rows).toEqual(expected)
})

/** A role that a call allows to members, but not to management keys, is marked. */
const cellOf = (row: ReadonlyArray<string>, kind: ManagerKind | "nobody"): string => {
  if (!row.includes(kind)) return ""
  return memberRoles.some((role) => role === kind) && !row.includes(`${kind}_key`) ? "(yes)" : "yes"
}
