import type { DataOf } from "../../client/Contract.ts"
import { formatAmount } from "./Amount.tsx"
import { Badge } from "./Badge.tsx"

export interface BalanceBadgeProps {
  readonly credits: DataOf<"GET /v1/admin/organizations/:id/credits">
}

/** Whether a balance is used up, or below its threshold. */
export const isLow = ({ balance, low_balance_threshold: threshold }: BalanceBadgeProps["credits"]): boolean =>
  balance === 0 || (threshold !== null && balance < threshold)

/** Whether a balance is used up, or below its low-balance threshold. A balance that never had credits is neither. */
export const BalanceBadge = ({ credits }: BalanceBadgeProps) => {
  const { balance, entries, low_balance_threshold: threshold } = credits
  if (balance === 0) return entries.length > 0 ? <Badge tone="bad">Used up</Badge> : null
  if (threshold === null || balance >= threshold) return null
  return <Badge tone="warning">{`Low: below the threshold of ${formatAmount(threshold)}`}</Badge>
}
