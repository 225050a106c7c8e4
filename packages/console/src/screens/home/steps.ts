/** The setup of an organization: the steps until it is ready for live requests. */
import type { Environment } from "../../state/environment.ts"
import type { Organization } from "../../state/organization.ts"
import { isOperator, may } from "../../state/permissions.ts"
import { isOwnTestKey } from "../keys/ownTestKey.ts"
import type { OrganizationState } from "./useOrganizationState.ts"

/** A step. */
export interface Step {
  readonly title: string
  /** What to do. */
  readonly meaning: string
  readonly isDone: boolean
  /** The screen; undefined if the account has no permission. */
  readonly place: string | undefined
  /** Whether the console itself can send the request of this step. */
  readonly hasRequest?: true
  /** The environment of the step. */
  readonly lookedAt?: Environment
}

/** Undefined until everything is loaded. Steps about keys are omitted without permission to list keys. */
export const stepsTo = (
  { id, kyb_status }: Organization,
  { keys, live, test }: OrganizationState
): ReadonlyArray<Step> | undefined => {
  const [bought, asked, askedLive] = [live.credits.data, test.usage.data, live.usage.data]
  if (bought === undefined || asked === undefined || askedLive === undefined) return undefined
  const made = keys.data?.keys
  if (made === undefined && may("listKeys")) return undefined
  const home = `/organizations/${id}`
  const wasUsed = asked.usage.length + askedLive.usage.length > 0 || made?.some(({ last_used_at }) => last_used_at)
  const steps: ReadonlyArray<Step | undefined> = [
    made && {
      ...words.testKey,
      isDone: made.some((key) => !isOwnTestKey(key)),
      place: `${home}/keys/new`,
      lookedAt: "test"
    },
    {
      ...words.verified,
      isDone: kyb_status === "verified",
      place: may("createAccessRequest") ? `${home}/verification` : undefined
    },
    {
      ...words.credits(bought.buy_url),
      isDone: bought.balance > 0 || bought.entries.length > 0,
      place: `${home}/credits`,
      lookedAt: "live"
    },
    made && {
      ...words.liveKey,
      isDone: askedLive.usage.length > 0 || made.some(({ environment }) => environment === "live"),
      place: `${home}/keys/new`,
      lookedAt: "live"
    },
    {
      ...words.threshold,
      isDone: bought.low_balance_threshold !== null,
      place: may("setLowBalance") ? `${home}/credits` : undefined,
      lookedAt: "live"
    },
    { ...words.request, hasRequest: true, isDone: Boolean(wasUsed), place: `${home}/try` }
  ]
  return steps.filter((step) => step !== undefined)
}

const words = {
  testKey: {
    title: "Create a test key",
    meaning: "Its requests cost test credits. Every organization starts with some."
  },
  request: { title: "Send a request", meaning: "From your own program or from here. It costs test credits only." },
  verified: { title: "Verify the business", meaning: "Required for live keys. An operator checks what you submit." },
  credits: (buy_url: string | null) => ({
    title: "Buy live credits",
    meaning: isOperator()
      ? "Grant the credits that were paid for."
      : buy_url === null
        ? "An operator adds them after your payment."
        : "The credits screen links to the page where you buy them."
  }),
  liveKey: { title: "Create a live key", meaning: "For your program in production." },
  threshold: { title: "Set a threshold for live credits", meaning: "You hear of it before credits run out." }
} as const
