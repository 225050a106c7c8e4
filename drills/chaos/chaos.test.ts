/** How the verdict on a run is found. */
import { describe, expect, it } from "vitest"
import type { Attempt } from "../kit/Clients.ts"
import type { LedgerRow } from "../kit/LedgerRow.ts"
import { findWrong } from "../kit/Verdict.ts"
import { type CorrectionAttempt, wrongCorrections } from "./Corrections.ts"
import { type Suspension, wrongSuspensions } from "./Suspensions.ts"

describe("the verdict on a run finds", () => {
  const attempt = (request_id: string, fields: Partial<Attempt> = {}): Attempt => ({
    request_id,
    account: "org live",
    idempotency_key: undefined,
    price: 2,
    status: 200,
    charged: 2,
    sent_ms: 10,
    answered_ms: 20,
    ...fields
  })
  const grant = { reason: "grant", reference: "chaos", amount: 10 }
  const charge = (reference: string) => ({ reason: "lookup", reference, amount: -2 })
  /** Rows as a ledger in order would number and add them up. */
  const ledger = (entries: ReadonlyArray<Pick<LedgerRow, "amount" | "reason" | "reference">>) => {
    let balance_after = 0
    const rows = entries.map((entry, at): LedgerRow => {
      balance_after += entry.amount
      return { id: `ent_${at + 1}`, account: "org live", number: at + 1, balance_after, ...entry }
    })
    return { rows, balances: { "org live": balance_after } }
  }
  const found = (attempts: ReadonlyArray<Attempt>, { balances, rows }: ReturnType<typeof ledger>) =>
    Object.entries(findWrong(attempts, rows, balances))
      .filter(([, examples]) => examples.length > 0)
      .map(([promise]) => promise)
  const right = [attempt("a"), attempt("b", { status: 0, charged: 0 }), attempt("c", { status: 503, charged: 0 })]

  it("no fault in a correct run, even if a request without an answer was charged and a 503 was not", () => {
    expect(found(right, ledger([grant, charge("a"), charge("b")]))).toEqual([])
  })

  it("a charge that was acknowledged or written while its organization was suspended", () => {
    const suspension = {
      ...{ account: "org live", acknowledged_ms: 5, resumed_ms: 30, wasLifted: false },
      charges: [4, 4]
    } as const
    const foundIn = (fields: Partial<Suspension>, attempts = [attempt("a")]) =>
      Object.entries(wrongSuspensions([{ ...suspension, ...fields }], attempts))
        .filter(([, examples]) => examples.length > 0)
        .map(([promise]) => promise)
    expect(foundIn({})).toEqual(["a charge that was acknowledged in a suspension"])
    expect(foundIn({ acknowledged_ms: 10 })).toEqual([])
    expect(foundIn({ resumed_ms: 20 })).toEqual([])
    expect(foundIn({ account: "other live" })).toEqual([])
    expect(foundIn({}, [attempt("a", { status: 403, charged: 0 })])).toEqual([])
    expect(foundIn({}, [attempt("a", { charged: 0 })])).toEqual([])
    expect(foundIn({ charges: [4, 5] }, [])).toEqual(["a charge that was written in a suspension"])
    expect(foundIn({ charges: [4, 5], wasLifted: true })).toEqual([])
  })

  it("an answer without its row", () => {
    expect(found(right, ledger([grant]))).toEqual(["an answer without its row"])
    expect(found([attempt("a", { status: 402, charged: 0 })], ledger([grant, charge("a")]))).toEqual([
      "an answer without its row"
    ])
  })

  it("a request with several rows", () => {
    expect(found(right, ledger([grant, charge("a"), charge("a")]))).toEqual(["a request with several rows"])
  })

  it("a ledger entry without a request, or with another price", () => {
    expect(found(right, ledger([grant, charge("a"), charge("z")]))).toEqual(["a row without its request"])
    expect(found([attempt("b", { status: 0, price: 3 })], ledger([grant, charge("b")]))).toEqual([
      "a row without its request"
    ])
  })

  it("an Idempotency-Key that was charged twice, or confirmed and not charged", () => {
    const repeated = { idempotency_key: "key" }
    const twice = [attempt("a", { ...repeated, status: 0, charged: 0 }), attempt("b", repeated)]
    expect(found(twice, ledger([grant, charge("a"), charge("b")]))).toEqual(["an Idempotency-Key that was paid twice"])
    expect(found([attempt("a", { ...repeated, charged: 0 })], ledger([grant]))).toEqual([
      "an Idempotency-Key that was answered and not paid"
    ])
  })

  it("a correction without a ledger entry, with several entries, or without a request", () => {
    const correction = { reason: "refund", reference: "o1", amount: -3 }
    const sent: CorrectionAttempt = {
      ...{ account: "org live", reference: "o1", kind: "refund", amount: -3 },
      ...{ status: 201, answer: { entry_id: "ent_2", balance: 7 } }
    }
    const lost = { ...sent, status: 0, answer: undefined }
    const refused = { ...lost, status: 409 }
    const found = (attempts: ReadonlyArray<CorrectionAttempt>, entries: Parameters<typeof ledger>[0]) =>
      Object.entries(wrongCorrections(attempts, ledger(entries).rows))
        .filter(([, examples]) => examples.length > 0)
        .map(([promise]) => promise)
    expect(found([sent, lost], [grant, correction])).toEqual([])
    expect(found([lost], [grant])).toEqual([])
    expect(found([refused], [grant])).toEqual([])
    const withoutRow = ["a correction without its row"]
    expect(found([sent], [grant])).toEqual(withoutRow)
    expect(found([sent], [grant, { ...correction, amount: 3 }])).toEqual(withoutRow)
    expect(found([sent], [grant, { ...correction, reason: "adjustment" }])).toEqual(withoutRow)
    expect(found([{ ...sent, answer: { entry_id: "ent_9", balance: 7 } }], [grant, correction])).toEqual(withoutRow)
    expect(found([refused], [grant, correction])).toEqual(withoutRow)
    expect(found([sent], [grant, correction, correction])).toEqual(["a correction with several rows"])
    expect(found([], [grant, correction])).toEqual(["a correction that nobody made"])
  })

  it("a balance that is not the sum of its ledger entries, or an entry out of order", () => {
    const { balances, rows } = ledger([grant, charge("a")])
    const broken = "a balance that is not the sum of its rows"
    expect(found(right, { rows, balances: { "org live": 9 } })).toEqual([broken])
    expect(found(right, { rows: rows.map((row) => ({ ...row, number: 1 })), balances })).toEqual([broken])
    expect(found(right, { rows: rows.map((row) => ({ ...row, balance_after: 10 })), balances })).toEqual([broken])
  })
})
