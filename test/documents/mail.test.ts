// The table of docs/mail.md has every notice, with the subject, the recipients and the switch that the code has.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { letterOf } from "../../packages/gateway/src/notices/letters.ts"
import { isOptional, noticeKindNames, rulesOf, type StoredNotice } from "../../packages/gateway/src/notices/Notice.ts"
import { root } from "../../scripts/workspace.mjs"

const rows = readFileSync(join(root, "docs/mail.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| `[a-z_]+` +\|/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))

/** All facts that a letter may have, as in the examples of the table. */
const facts = {
  organization_id: "org_1",
  role: "owner",
  how: "reset",
  environment: "live",
  balance: 480,
  threshold: 500,
  level: 2,
  key_id: "key_1",
  daily_credit_limit: 1000,
  expires_at: "2026-12-06T00:00:00Z",
  closes_at: "2026-12-06T00:00:00Z",
  webhook_id: "whk_1"
}
const variants: ReadonlyArray<StoredNotice["facts"]> = [
  { ...facts, kyb_status: "verified", status: "approved", change: "added" },
  { ...facts, kyb_status: "rejected", status: "rejected", change: "removed" }
]
const context = { organization_name: "Shop", token: "t", reviews: 1, public_url: "https://postcode.example" }

it("the table has all kinds", () => {
  expect([...rows.map(([, kind]) => kind)].sort()).toEqual(noticeKindNames.map((kind) => `\`${kind}\``).sort())
})

describe.for(noticeKindNames)("%s", (kind) => {
  const [, , subjects, , to, canBeSwitchedOff] = rows.find(([, name]) => name === `\`${kind}\``) ?? []

  it("has its subjects", () => {
    const balances = kind === "balance_used_up" ? [0, 2] : [480, 480]
    const letters = variants.map((facts, i) => {
      const notice: StoredNotice = {
        id: `${i}`,
        kind,
        email: "ada@example.ng",
        facts: { ...facts, balance: balances[i] ?? 0 },
        status: "sent",
        attempts: 1,
        created_at: "2026-11-29T00:00:00Z"
      }
      return letterOf(notice, context).subject
    })
    expect(subjects).toBe([...new Set(letters)].join(", "))
  })

  it("has its recipients, and whether it can be switched off", () => {
    const { to: recipients } = rulesOf(kind)
    const words = Array.isArray(recipients)
      ? recipients.map((role) => (role === "billing" ? role : `${role}s`)).join(" and ")
      : recipients
    expect(to).toContain(words)
    expect(canBeSwitchedOff).toBe(isOptional(kind) ? "yes" : "no")
  })
})
