/** The steps from a new organization to its first live call. */
import type { Environment } from "../../state/environment.ts"
import type { Organization } from "../../state/organization.ts"
import { isOperator, may } from "../../state/permissions.ts"
import type { OrganizationState } from "./useOrganizationState.ts"

/** A step. */
export interface Step {
  readonly title: string
  /** What to do. */
  readonly meaning: string
  readonly isDone: boolean
  /** The screen; undefined if the account has no permission. */
  readonly place: string | undefined
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
    made && { ...words.testKey, isDone: made.length > 0, place: `${home}/keys/new`, lookedAt: "test" },
    { ...words.request, isDone: Boolean(wasUsed), place: `${home}/try` },
    {
      ...words.verified,
      isDone: kyb_status === "verified",
      place: may("createAccessRequest") ? `${home}/verification` : undefined
    },
    {
      ...words.credits(),
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
    }
  ]
  return steps.filter((step) => step !== undefined)
}

const words = {
  testKey: { title: "Make a test key", meaning: "Its calls cost test credits, which every organization starts with." },
  request: { title: "Make a first request", meaning: "From your own program, or here." },
  verified: { title: "Have the business verified", meaning: "Live keys need it. An operator looks at what you send." },
  credits: () => ({
    title: "Buy live credits",
    meaning: isOperator() ? "Grant what was paid for." : "The people who run this service grant what you have paid for."
  }),
  liveKey: { title: "Make a live key", meaning: "The one that your program goes into service with." },
  threshold: { title: "Set a low-balance threshold", meaning: "A webhook tells you before credits run out." }
} as const
