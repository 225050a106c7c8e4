/** Whether work that failed may still take effect. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import { repeatUntilKnown, runOnce } from "../../../src/connection/transactions/RepeatUntilKnown.ts"

const unread = new UnknownError({ cause: new Error("Failed to decode row"), operation: "query" })
const refused = new UnknownError({ cause: { code: "42883" }, operation: "query" })
const noConnection = new ConnectionError({ cause: new Error("ECONNREFUSED"), operation: "connect" })
const broken = new ConnectionError({ cause: new Error("Connection closed"), operation: "query" })

describe("work that ran once and failed", () => {
  it.effect.each([
    ["an answer that could not be read", Effect.fail(new SqlError({ reason: unread })), true],
    ["a defect of the program", Effect.die("a fault"), true],
    ["a connection that broke", Effect.fail(new SqlError({ reason: broken })), true],
    ["a refusal by the server", Effect.fail(new SqlError({ reason: refused })), false],
    ["a connection that was never made", Effect.fail(new SqlError({ reason: noConnection })), false]
  ] as const)("with %s: a later answer is final only if nothing may follow", ([, work, mayFollow]) =>
    Effect.gen(function* () {
      const run = yield* runOnce(work)
      assert.strictEqual(run.answer, undefined)
      const known = yield* repeatUntilKnown(Effect.succeed("refused"), run)
      assert.deepStrictEqual(known, { answer: "refused", mayFollow })
    })
  )
})
