import { Badge } from "../../../kit/data/Badge.tsx"
import type { Tone } from "../../../kit/feedback/Notice.tsx"
import type { AccessRequest } from "./AccessRequest.ts"

/** The state of a level request. */
export const RequestBadge = ({ status }: { readonly status: AccessRequest["status"] }) => {
  const [words, tone] = states[status]
  return <Badge tone={tone}>{words}</Badge>
}

const states: Readonly<Record<AccessRequest["status"], readonly [string, Tone]>> = {
  approved: ["Approved", "good"],
  pending: ["Pending", "warning"],
  rejected: ["Rejected", "bad"]
}
