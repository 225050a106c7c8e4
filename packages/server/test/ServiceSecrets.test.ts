import { weakSecrets } from "@postcode/conformance/devices"
import { Cause, Effect, Exit } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { exitCodes } from "../src/process/ExitCode.ts"
import { readSecrets } from "../src/ServiceSecrets.ts"

describe("secrets of the service", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  const wrongTexts = Object.values(weakSecrets).filter((text) => text !== "")
  const [a, b] = ["q7Vd2MfZ0bXk9RtLw4HnYc3JpAs8GuEe", "eEuG8sApJ3cYnH4wLtR9kXb0ZfM2dV7q"]
  const wrongSecrets: Readonly<Record<string, ReadonlyArray<string>>> = {
    POSTCODE_OPERATOR_TOKEN: wrongTexts,
    POSTCODE_IDENTIFIER_PEPPER: [
      ...wrongTexts,
      `0:${a}`,
      "1:too-short",
      `1:${a}:${b}`,
      `${a},1:${b}`,
      `1:${a},1:${b}`,
      `2:${a},`,
      `2:${a},1:${"a".repeat(32)}`,
      `5:${a},4:${a},3:${a},2:${a},1:${a}`
    ],
    POSTCODE_SESSION_KEYS: [
      a,
      `:${a}`,
      `an id:${a}`,
      `first:${a},first:${b}`,
      `first:${a},`,
      `first:${a} ,second:${b}`,
      ...wrongTexts.map((text) => `first:${text}`),
      `first:${a},second:${"abc".repeat(20)}`
    ]
  }
  it.each(Object.entries(wrongSecrets))(
    "%s in another form than the documented one is refused, and not repeated",
    async (name, wrong) => {
      for (const secret of wrong) {
        vi.stubEnv(name, secret)
        const { exitCode, message } = await failureOf(readSecrets(false))
        expect({ secret, exitCode }).toEqual({ secret, exitCode: exitCodes.wrongUsage })
        expect(message).toMatch(new RegExp(`^${name}: expected .*32 to 512 printable ASCII characters without spaces`))
        expect(message).toContain("create a secret with: openssl rand -hex 32")
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
