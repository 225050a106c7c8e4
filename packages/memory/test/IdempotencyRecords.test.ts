import { assert, describe, it } from "@effect/vitest"
import { idempotencyRetention_ms } from "@postcode/core/ports/CreditLedger"
import { IdempotencyRecords } from "../src/IdempotencyRecords.ts"

describe("IdempotencyRecords", () => {
  it("no more is kept than what is in force", () => {
    const records = new IdempotencyRecords()
    const step_ms = idempotencyRetention_ms / 100
    for (let i = 0; i < 1_000; i++) {
      const now_ms = i * step_ms
      assert.isUndefined(records.find("key", `request ${i}`, now_ms))
      records.add("key", `request ${i}`, "fingerprint", 1, now_ms)
      assert.isAtMost(records.size, 100)
    }
    assert.strictEqual(records.find("key", "request 950", 999 * step_ms)?.charged, 1)
    assert.isUndefined(records.find("key", "request 999", 999 * step_ms + idempotencyRetention_ms))
    assert.strictEqual(records.size, 0)
  })

  it("a record ends in its own time after the clock was set back", () => {
    const records = new IdempotencyRecords()
    const late_ms = 5 * idempotencyRetention_ms
    records.add("key", "before", "first", 1, late_ms)
    records.add("key", "after", "second", 2, 0)
    assert.strictEqual(records.find("key", "after", idempotencyRetention_ms - 1)?.charged, 2)
    assert.isUndefined(records.find("key", "after", idempotencyRetention_ms))
    assert.strictEqual(records.find("key", "before", idempotencyRetention_ms)?.charged, 1)
    // What comes in the place of an ended record outlives the one that is still waiting to be dropped.
    records.add("key", "after", "third", 3, late_ms + 10)
    assert.strictEqual(records.find("key", "after", late_ms + idempotencyRetention_ms)?.charged, 3)
    assert.strictEqual(records.size, 1)
  })

  it("records are kept and dropped as before after all were dropped", () => {
    const records = new IdempotencyRecords()
    for (const start_ms of [0, idempotencyRetention_ms, 3 * idempotencyRetention_ms]) {
      assert.isUndefined(records.find("key", `request at ${start_ms}`, start_ms))
      assert.strictEqual(records.size, 0)
      records.add("key", `request at ${start_ms}`, "fingerprint", 1, start_ms)
      assert.isDefined(records.find("key", `request at ${start_ms}`, start_ms))
    }
  })
})
