import { badgeOf } from "../../kit/data/Badge.tsx"

/** How sure a search is of what it found. */
export const ConfidenceBadge = badgeOf({ high: ["High", "good"], medium: ["Medium", "plain"], low: ["Low", "plain"] })
