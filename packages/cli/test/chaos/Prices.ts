/** What the replicas charge, in credits. */
export const levelPrices = { 2: 1, 3: 2, 4: 3 } as const
