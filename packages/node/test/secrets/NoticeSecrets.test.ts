/** How the links of mail are kept until it is sent. */
import { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { layerNodeSecrets } from "@postcode/node/secrets"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"

const [first, second] = [1, 2].map((version) => ({
  version,
  secret: Redacted.make(`a-pepper-for-tests-number-${version}-and-nothing-else`)
})) as [{ version: number; secret: Redacted.Redacted<string> }, { version: number; secret: Redacted.Redacted<string> }]

const secretsOf = (...[pepper, ...former]: Parameters<typeof layerNodeSecrets>[1] & {}) =>
  Effect.runSync(Effect.provide(NoticeSecrets, layerNodeSecrets(pepper as typeof first, former)))

const opened = (text: Redacted.Redacted<string> | undefined) => text && Redacted.value(text)

it("a link is sealed, and opened for the same notice only", () => {
  const { open, seal } = secretsOf(first)
  const sealed = seal("ntc_1", Redacted.make("token-1"))
  expect(sealed).toMatch(/^1\.[\w-]+$/)
  expect(sealed).not.toContain("token-1")
  expect(seal("ntc_1", Redacted.make("token-1"))).not.toBe(sealed)
  expect(opened(open("ntc_1", sealed))).toBe("token-1")
  for (const [context, text] of [
    ["ntc_2", sealed],
    ["ntc_1", `${sealed.slice(0, -3)}AAA`],
    ["ntc_1", sealed.replace("1.", "2.")],
    ["ntc_1", ""],
    ["ntc_1", "1."],
    ["ntc_1", "1.!"]
  ] as const) {
    expect(open(context, text)).toBeUndefined()
  }
})

it("a former secret still opens, a removed one does not", () => {
  const sealed = secretsOf(first).seal("ntc_1", Redacted.make("token-1"))
  expect(opened(secretsOf(second, first).open("ntc_1", sealed))).toBe("token-1")
  expect(secretsOf(second).open("ntc_1", sealed)).toBeUndefined()
})
