/** The generated types are those of the contract, call for call. */
import { expect, it } from "vitest"
import type { Held } from "./ContractTypes.ts"

it("the types are those of the contract, call for call: else this would not compile", () => {
  const held: Held = [true, true, true, true, true]
  expect(held).not.toContain(false)
})
