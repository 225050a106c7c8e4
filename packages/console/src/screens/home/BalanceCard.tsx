import { daysLeft } from "@postcode/core/Prices"
import { Amount, formatAmount } from "../../kit/data/Amount.tsx"
import { BalanceBadge, isLow } from "../../kit/data/BalanceBadge.tsx"
import { dayName, dayOf } from "../../kit/data/days.ts"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { type Environment, environmentNames, environment as looked } from "../../state/environment.ts"
import { BuyCredits } from "../credits/BuyCredits.tsx"
import type { EnvironmentState } from "./useOrganizationState.ts"

export interface BalanceCardProps {
  readonly environment: Environment
  readonly organization: string
  readonly standing: EnvironmentState
}

/** The balance of an environment, its expected duration, and today's requests. */
export const BalanceCard = ({ environment, organization, standing }: BalanceCardProps) => {
  const { credits, usage } = standing
  const look = () => {
    looked.value = environment
  }
  return (
    <Section title={environmentNames[environment]}>
      <WhenLoaded loaded={credits}>
        {(data) => (
          <p class="figure">
            <a href={`#/organizations/${organization}/credits`} onClick={look}>
              <strong>{formatAmount(data.balance)}</strong> credits
            </a>
            <BalanceBadge credits={data} />
            {isLow(data) && <BuyCredits environment={environment} url={data.buy_url} />}
          </p>
        )}
      </WhenLoaded>
      <ProblemNotice problem={usage.problem} onRetry={usage.reload} />
      {usage.data && (
        <p class="muted">
          {credits.data && <span>{lasting(credits.data.balance, usage.data.usage)}</span>}
          <a href={`#/organizations/${organization}/usage`} onClick={look}>
            <RequestsToday usage={usage.data.usage} />
          </a>
        </p>
      )}
    </Section>
  )
}

type Usage = NonNullable<EnvironmentState["usage"]["data"]>["usage"]

const lasting = (balance: number, usage: Usage): string => {
  const days = daysLeft(balance, usage, Date.now())
  if (days === undefined) return "Nothing spent in 30 days"
  if (days === 0) return "Less than a day left at the current rate"
  return `${formatAmount(days)} ${days === 1 ? "day" : "days"} left at the current rate`
}

const RequestsToday = ({ usage }: { readonly usage: Usage }) => {
  const today = dayOf(Date.now())
  const count = usage.reduce((sum, { date, requests }) => (date === today ? sum + requests : sum), 0)
  return <Amount value={count} unit={`${count === 1 ? "request" : "requests"} on ${dayName(today)} (UTC)`} />
}
