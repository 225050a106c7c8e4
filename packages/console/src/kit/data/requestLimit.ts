import { formatAmount } from "./Amount.tsx"

/** How many requests a minute a key may make, or all keys of an organization together. */
export const requestLimit = (limited: { readonly rate_limit_per_minute?: number }): string =>
  limited.rate_limit_per_minute === undefined ? "As the service allows" : formatAmount(limited.rate_limit_per_minute)
