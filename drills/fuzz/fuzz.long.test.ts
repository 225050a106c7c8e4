/** Hostile input in numbers; `npm run drill -- fuzz` sends more, and looks at the time it takes. */
import { describe, it } from "vitest"
import { expectNoFailure } from "./expectNoFailure.ts"

describe("whatever is sent, every answer keeps the conventions and its schema, and no secret is logged", () => {
  it.each([
    ["memory", 3_000],
    ["postgres", 2_000]
  ] as const)("on %s", expectNoFailure, 600_000)
})
