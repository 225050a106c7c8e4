/** Credits: balances and their ledger, and every decision about charges, grants and corrections, with its errors. */

export * from "../Errors.ts"
export * from "./Charge.ts"
export * from "./Credits.ts"
export * from "./decideCharges.ts"
