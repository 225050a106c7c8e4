import type { Organization } from "../../state/organization.ts"
import type { Tone } from "../feedback/Notice.tsx"
import { Badge } from "./Badge.tsx"

/** The state of a business verification. */
export const KybBadge = ({ status }: { readonly status: Organization["kyb_status"] }) => {
  const [words, tone] = states[status]
  return <Badge tone={tone}>{words}</Badge>
}

const states: Readonly<Record<Organization["kyb_status"], readonly [string, Tone | "plain"]>> = {
  pending: ["Pending", "warning"],
  rejected: ["Rejected", "bad"],
  unverified: ["Not verified", "plain"],
  verified: ["Verified", "good"]
}
