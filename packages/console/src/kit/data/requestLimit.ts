import { formatAmount } from "./Amount.tsx"

/** The request limit per minute of a key, or of all keys of an organization together. */
export const requestLimit = (limited: { readonly rate_limit_per_minute?: number }): string =>
  limited.rate_limit_per_minute === undefined ? "Default of the service" : formatAmount(limited.rate_limit_per_minute)
