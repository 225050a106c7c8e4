import { daysLeft } from "@postcode/core/Prices"
import { useLoad } from "../../hooks/useLoad.ts"
import { Amount, formatAmount } from "../../kit/data/Amount.tsx"
import { BalanceBadge, type BalanceBadgeProps } from "../../kit/data/BalanceBadge.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { WhenLoaded } from "../../kit/feedback/WhenLoaded.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { type Environment, environmentNames } from "../../state/environment.ts"
import { may } from "../../state/permissions.ts"
import { BuyCredits } from "./BuyCredits.tsx"
import { CorrectDialog } from "./CorrectDialog.tsx"
import type { CreditAccount } from "./CreditAccount.ts"
import { GrantDialog } from "./GrantDialog.tsx"
import { ledgerChanges } from "./ledgerChanges.ts"
import { ThresholdDialog } from "./ThresholdDialog.tsx"
import "./credits.css"

/** The balance of an environment, its expected duration, and the low-balance threshold. */
export const BalanceSection = (credits: CreditAccount) => {
  const { environment, organization } = credits
  const input = { params: { id: organization }, query: { environment, limit: 1 } }
  const loaded = useLoad("GET /v1/admin/organizations/:id/credits", input)
  const { data, reload } = loaded
  const change = () => {
    reload()
    ledgerChanges.value++
  }
  const grant = () => openDialog(<GrantDialog {...credits} onDone={change} />)
  return (
    <Section
      title={environmentNames[environment]}
      actions={
        <>
          {data && <BuyCredits environment={environment} url={data.buy_url} isButton={!may("grantCredits")} />}
          {data && may("setLowBalance") && (
            <Button
              icon="bell"
              label={`Threshold of ${environment} credits`}
              onClick={() =>
                openDialog(<ThresholdDialog {...credits} threshold={data.low_balance_threshold} onDone={reload} />)
              }
            >
              Threshold
            </Button>
          )}
          {may("correctCredits") && (
            <Button
              label={`Correct ${environment} credits`}
              onClick={() => openDialog(<CorrectDialog {...credits} onDone={change} />)}
            >
              Correct
            </Button>
          )}
          {may("grantCredits") && (
            <Button icon="plus" label={`Grant ${environment} credits`} onClick={grant}>
              Grant
            </Button>
          )}
        </>
      }
    >
      <WhenLoaded loaded={loaded}>
        {(data) => (
          <Facts
            facts={[
              ["Balance", <Balance key="balance" credits={data} />],
              ["Lasts for", <BalanceDuration key="lasting" {...credits} balance={data.balance} />],
              ["Low-balance threshold", <Threshold key="threshold" value={data.low_balance_threshold} />]
            ]}
          />
        )}
      </WhenLoaded>
      {data && data.buy_url === null && !may("grantCredits") && <p class="muted">{sources[environment]}</p>}
    </Section>
  )
}

/** How members get more credits without a page to buy them. */
const sources: Readonly<Record<Environment, string>> = {
  live: "An operator adds live credits after your payment.",
  test: "Test credits do not refill. Ask an operator to add more."
}

const Balance = ({ credits }: BalanceBadgeProps) => (
  <>
    <span class="balance">{formatAmount(credits.balance)}</span> <BalanceBadge credits={credits} />
  </>
)

const Threshold = ({ value }: { readonly value: number | null }) =>
  value === null ? <span class="muted">Not set</span> : <Amount value={value} />

const BalanceDuration = ({ balance, environment, organization }: CreditAccount & { readonly balance: number }) => {
  const { data, problem } = useLoad("GET /v1/admin/organizations/:id/usage", {
    params: { id: organization },
    query: { environment }
  })
  if (problem) return <span class="muted">Unknown: usage did not load</span>
  if (data === undefined) return <span class="muted">…</span>
  const days = daysLeft(balance, data.usage, Date.now())
  if (days === undefined) return <span class="muted">Nothing spent in 30 days</span>
  return (
    <>
      <Amount value={days} unit={days === 1 ? "day" : "days"} />
      <span class="secondary">at the rate of the last 30 days, or since the first charge if that is later</span>
    </>
  )
}
