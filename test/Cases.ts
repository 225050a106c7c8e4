/** How many random cases a property is tried with. */

/** All of them; in `npm test` a quarter, as each change waits for it. The first cases are the same in both. */
export const cases = (all: number): number => (process.env.POSTCODE_TEST_CASES === "quarter" ? Math.ceil(all / 4) : all)
