import { Cause, Effect, Exit } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { exitCodes } from "../src/ExitCode.ts"
import { readSecrets } from "../src/serve/ServiceSecrets.ts"

describe("secrets of the service", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  const wrongTexts = ["fifteen-letters", "x".repeat(513), "sixteen letters!", "a-token-of-\u00fcmlauts"]
  const longEnough = "x".repeat(43)
  const wrongSecrets: Readonly<Record<string, ReadonlyArray<string>>> = {
    POSTCODE_OPERATOR_TOKEN: wrongTexts,
    POSTCODE_IDENTIFIER_PEPPER: [
      ...wrongTexts,
      "0:a-pepper-of-no-version",
      "1:too-short",
      "1:a-pepper-with:a-colon-in-it",
      "a-pepper-without-a-version,1:a-pepper-with-one",
      "1:a-pepper-of-the-first,1:another-of-the-first",
      "2:a-pepper-of-the-second,"
    ],
    POSTCODE_SESSION_KEYS: [
      longEnough,
      `:${longEnough}`,
      `an id:${longEnough}`,
      `first:${longEnough.slice(1)}`,
      `first:${longEnough},first:${longEnough}`,
      `first:${longEnough},`,
      `first:${longEnough} ,second:${longEnough}`
    ]
  }
  it.each(Object.entries(wrongSecrets))(
    "%s in another form than the documented one is refused, and not repeated",
    async (name, wrong) => {
      for (const secret of wrong) {
        vi.stubEnv(name, secret)
        const { exitCode, message } = await failureOf(readSecrets(false))
        expect({ secret, exitCode }).toEqual({ secret, exitCode: exitCodes.wrongUsage })
        expect(message).toMatch(new RegExp(`^${name}: expected .*printable ASCII characters without spaces`))
        expect(message).not.toContain(secret)
      }
    }
  )
})

const failureOf = async <E>(effect: Effect.Effect<unknown, E>): Promise<E> => {
  const exit = await Effect.runPromiseExit(effect)
  if (Exit.isSuccess(exit)) throw new Error("expected a failure")
  return Cause.squash(exit.cause) as E
}
