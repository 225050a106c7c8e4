import type { Environment } from "../../state/environment.ts"

export interface BuyCreditsProps {
  /** The operator's page; null if there is none. */
  readonly url: string | null
  readonly environment: Environment
  /** Whether it looks like a button. */
  readonly isButton?: boolean
}

/** A link to the operator's page where credits are bought, in a new tab. */
export const BuyCredits = ({ environment, isButton = false, url }: BuyCreditsProps) =>
  url && (
    <a
      class={isButton ? "button primary" : undefined}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Buy ${environment} credits, in a new tab`}
    >
      Buy credits
    </a>
  )
