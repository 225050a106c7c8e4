/** Corrections of balances, as operators make them and members see them. */
import { describe, expect, it } from "vitest"
import { url } from "../../world/TestClient.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure } from "../Received.ts"

type Fields = Readonly<Record<string, unknown>>

const pathOf = (id: string) => `/v1/admin/organizations/${id}/credits/corrections`

const body = {
  amount: -250,
  environment: "test",
  kind: "refund",
  reason: "INV-7 was paid back",
  reference: "CASE-7"
}

export const creditCorrections = (world: World): void => {
  const correct = (id: string, fields: Fields = {}) => world.operator.call("POST", pathOf(id), { ...body, ...fields })

  describe("corrections of credits", () => {
    it("add or take credits, and return the entry and the balance", async () => {
      const id = await world.operator.organization()
      const taken = await correct(id)
      expect(taken.status).toBe(201)
      expect(dataOf(taken)).toEqual({ entry_id: expect.any(String), balance: 750 })
      const added = await correct(id, { amount: 5, kind: "adjustment", reason: " a gift ", reference: "CASE-8" })
      expect(dataOf(added)).toMatchObject({ balance: 755 })
      const { balance, entries } = await world.operator.statement(id, "test")
      expect(balance).toBe(755)
      expect(entries.slice(0, 2)).toMatchObject([
        { amount: 5, reason: "adjustment", note: "a gift", reference: "CASE-8", balance_after: 755, key_id: null },
        { amount: -250, reason: "refund", note: body.reason, reference: "CASE-7", balance_after: 750, level: null }
      ])
    })

    it("a repeated reference has the same answer and is applied once, also in ten concurrent requests", async () => {
      const id = await world.operator.organization()
      const all = await Promise.all(Array.from({ length: 10 }, () => correct(id)))
      await correct(id, { reference: "in between" })
      all.push(await correct(id))
      expect(new Set(all.map(({ text }) => text)).size).toBe(1)
      expect((await world.operator.statement(id, "test")).balance).toBe(500)
    })

    it.each([{ amount: 250 }, { kind: "adjustment" }, { reason: "another" }])(
      "the same reference with %j is 409",
      async (other) => {
        const id = await world.operator.organization()
        await correct(id)
        expectFailure(await correct(id, other), "409 conflict", "reference")
        expect((await world.operator.statement(id, "test")).balance).toBe(750)
      }
    )

    it("a reference may be one of a grant, and is separate for each organization and balance", async () => {
      const id = await world.operator.organization()
      const other = await world.operator.organization()
      await world.operator.grant(id, 250, "test", "CASE-7")
      expect(dataOf(await correct(id))).toMatchObject({ balance: 1_000 })
      expect(dataOf(await correct(id, { environment: "live", amount: 3 }))).toMatchObject({ balance: 3 })
      expect(dataOf(await correct(other, { amount: -1 }))).toMatchObject({ balance: 999 })
    })

    it("more than the balance is 409, and nothing is taken", async () => {
      const id = await world.operator.organization()
      expectFailure(await correct(id, { amount: -1_001 }), "409 conflict", "amount: the balance is 1000")
      expect(dataOf(await correct(id, { amount: -1_000 }))).toMatchObject({ balance: 0 })
      expectFailure(await correct(id, { amount: -1, reference: "CASE-8" }), "409 conflict", "amount: ")
    })

    const refused: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]> = [
      ["amount", [0, -0, 1.5, 1_000_000_001, -1_000_000_001, 1e300, "5", null, true]],
      ["environment", ["", "prod", null]],
      ["kind", ["", "grant", "lookup", null]],
      ["reason", ["", " ", "a\u0000", "x".repeat(501), null, 1]],
      ["reference", ["", " ", "a\u0000", "x".repeat(201), null, 1]]
    ]
    it.each(refused)("an invalid %s is 400 and named, and nothing is changed", async (name, values) => {
      const id = await world.operator.organization()
      for (const value of values) {
        expectFailure(await correct(id, { [name]: value }), "400 invalid_parameter", `${name}: `)
      }
      expect((await world.operator.statement(id, "test")).balance).toBe(1_000)
    })

    it("count in no usage, and send `credits.low` where they take the balance below its threshold", async () => {
      const id = await world.operator.organization()
      const organization = `/v1/admin/organizations/${id}`
      const hook = await world.operator.call("POST", `${organization}/webhooks`, { url: "https://example.com/hooks" })
      const { id: webhook } = dataOf<{ readonly id: string }>(hook)
      const threshold = { environment: "test", threshold: 800 }
      dataOf(await world.operator.call("PUT", `${organization}/credits/threshold`, threshold))
      await correct(id)
      await correct(id, { reference: "CASE-8" })
      const sent = await world.operator.call("GET", `/v1/admin/webhooks/${webhook}/deliveries`)
      expect(dataOf(sent)).toMatchObject({ deliveries: [{ event: "credits.low" }] })
      const usage = await world.operator.call("GET", url(`${organization}/usage`, { environment: "test" }))
      expect(dataOf(usage)).toEqual({ usage: [] })
    })
  })
}
