/** The generated types are those of the contract, call for call. */
import { expect, it } from "vitest"
import type { Held } from "./ContractTypes.ts"

it("the types of all calls equal those of the contract, or this file does not compile", () => {
  const held: Held = [true, true, true, true, true]
  expect(held).not.toContain(false)
})
