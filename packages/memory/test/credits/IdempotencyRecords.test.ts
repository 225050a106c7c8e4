import { assert, describe, it } from "@effect/vitest"
import { idempotencyRetention_ms } from "@postcode/core/Credits"
import { IdempotencyRecords } from "../../src/credits/IdempotencyRecords.ts"

/** Adds the charge to the valid record, or creates one. */
const add = (
  records: IdempotencyRecords,
  chain_id: string,
  key: string,
  fingerprint: string,
  charged: number,
  now_ms: number
): void => {
  const before = records.find(chain_id, key, now_ms)
  records.set({
    chain_id,
    key,
    fingerprint,
    charged: (before?.charged ?? 0) + charged,
    expires_at_ms: before?.expires_at_ms ?? now_ms + idempotencyRetention_ms
  })
}

describe("IdempotencyRecords", () => {
  it("only valid records are kept", () => {
    const records = new IdempotencyRecords(1_000)
    const step_ms = idempotencyRetention_ms / 100
    for (let i = 0; i < 1_000; i++) {
      const now_ms = i * step_ms
      assert.isUndefined(records.find("key", `request ${i}`, now_ms))
      add(records, "key", `request ${i}`, "fingerprint", i % 2, now_ms)
      assert.isAtMost(records.size, 100)
    }
    assert.strictEqual(records.find("key", "request 951", 999 * step_ms)?.charged, 1)
    assert.isUndefined(records.find("key", "request 999", 999 * step_ms + idempotencyRetention_ms))
    assert.strictEqual(records.size, 0)
  })

  it("keeps the newest free records of all chains, and drops the oldest first", () => {
    const records = new IdempotencyRecords(3)
    for (let i = 0; i < 5; i++) add(records, `key ${i % 2}`, `request ${i}`, "fingerprint", 0, i)
    const kept = (i: number) => records.find(`key ${i % 2}`, `request ${i}`, 5) !== undefined
    assert.deepStrictEqual([0, 1, 2, 3, 4].map(kept), [false, false, true, true, true])
    assert.strictEqual(records.size, 3)
  })

  it("a flood of free records drops no paid one, and none that was paid later", () => {
    const records = new IdempotencyRecords(10)
    add(records, "key", "paid", "fingerprint", 3, 0)
    add(records, "key", "free", "fingerprint", 0, 0)
    for (const charged of [0, 2, 1]) add(records, "key", "free", "fingerprint", charged, 1)
    for (let i = 0; i < 1_000; i++) {
      add(records, `key ${i % 7}`, `request ${i}`, "fingerprint", 0, 2)
      assert.isAtMost(records.size, 12)
    }
    assert.strictEqual(records.find("key", "paid", idempotencyRetention_ms - 1)?.charged, 3)
    assert.strictEqual(records.find("key", "free", idempotencyRetention_ms - 1)?.charged, 3)
    assert.strictEqual(records.size, 12)
    assert.isUndefined(records.find("key", "free", idempotencyRetention_ms))
  })

  it("keeps the newest paid records, including those that were free at first", () => {
    const records = new IdempotencyRecords(3)
    add(records, "key", "free at first", "fingerprint", 0, 0)
    for (let i = 0; i < 3; i++) add(records, `key ${i}`, "paid", "fingerprint", 1, 1)
    add(records, "key", "free at first", "fingerprint", 1, 2)
    assert.isUndefined(records.find("key 0", "paid", 3))
    for (const key of ["key 1", "key 2"]) assert.isDefined(records.find(key, "paid", 3), key)
    assert.strictEqual(records.find("key", "free at first", 3)?.charged, 1)
    assert.strictEqual(records.size, 3)
  })

  it("a record that was free at first no longer counts as free after it is paid", () => {
    const records = new IdempotencyRecords(2)
    for (const request of ["a", "b"]) add(records, "key", request, "fingerprint", 0, 0)
    add(records, "key", "b", "fingerprint", 1, 0)
    add(records, "key", "c", "fingerprint", 0, 0)
    for (const request of ["a", "b", "c"]) assert.isDefined(records.find("key", request, 0), request)
    add(records, "key", "d", "fingerprint", 0, 0)
    assert.isUndefined(records.find("key", "a", 0))
  })

  it("a record expires after its time, even if the clock was set back", () => {
    const records = new IdempotencyRecords(1_000)
    const late_ms = 5 * idempotencyRetention_ms
    add(records, "key", "before", "first", 1, late_ms)
    add(records, "key", "after", "second", 2, 0)
    assert.strictEqual(records.find("key", "after", idempotencyRetention_ms - 1)?.charged, 2)
    assert.isUndefined(records.find("key", "after", idempotencyRetention_ms))
    assert.strictEqual(records.find("key", "before", idempotencyRetention_ms)?.charged, 1)
    // What comes in the place of an ended record outlives the one that is still waiting to be dropped.
    add(records, "key", "after", "third", 3, late_ms + 10)
    assert.strictEqual(records.find("key", "after", late_ms + idempotencyRetention_ms)?.charged, 3)
    assert.strictEqual(records.size, 1)
  })

  it("records are kept and dropped as before after all were dropped", () => {
    const records = new IdempotencyRecords(1_000)
    for (const start_ms of [0, idempotencyRetention_ms, 3 * idempotencyRetention_ms]) {
      assert.isUndefined(records.find("key", `request at ${start_ms}`, start_ms))
      assert.strictEqual(records.size, 0)
      add(records, "key", `request at ${start_ms}`, "fingerprint", 1, start_ms)
      assert.isDefined(records.find("key", `request at ${start_ms}`, start_ms))
    }
  })

  it("the same idempotency key under two chains is two records", () => {
    const records = new IdempotencyRecords(1_000)
    add(records, "a", "b c", "first", 1, 0)
    add(records, "a b", "c", "second", 2, 0)
    assert.strictEqual(records.find("a", "b c", 1)?.fingerprint, "first")
    assert.strictEqual(records.find("a b", "c", 1)?.fingerprint, "second")
  })
})
