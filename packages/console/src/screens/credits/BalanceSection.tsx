import { daysLeft } from "@postcode/core/DaysLeft"
import { useSignal } from "@preact/signals"
import { useLoad } from "../../hooks/useLoad.ts"
import { Amount, formatAmount } from "../../kit/data/Amount.tsx"
import { Badge } from "../../kit/data/Badge.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { environmentNames } from "../../state/environment.ts"
import { may } from "../../state/permissions.ts"
import type { CreditAccount } from "./CreditAccount.ts"
import { GrantDialog } from "./GrantDialog.tsx"
import { ledgerChanges } from "./ledgerChanges.ts"
import { ThresholdDialog } from "./ThresholdDialog.tsx"
import "./credits.css"

/** The balance of an environment, its expected duration, and the low-balance threshold. */
export const BalanceSection = ({ environment, organization }: CreditAccount) => {
  const asked = useSignal<"grant" | "threshold" | undefined>(undefined)
  const close = () => {
    asked.value = undefined
  }
  const input = { params: { id: organization }, query: { environment, limit: 1 } }
  const { data, problem, reload } = useLoad("GET /v1/admin/organizations/:id/credits", input)
  const change = () => {
    reload()
    ledgerChanges.value++
  }
  return (
    <Section
      title={environmentNames[environment]}
      actions={
        <>
          {data && may("setLowBalance") && (
            <Button
              icon="bell"
              label={`Threshold of ${environment} credits`}
              onClick={() => (asked.value = "threshold")}
            >
              Threshold
            </Button>
          )}
          {may("grantCredits") && (
            <Button icon="plus" label={`Grant ${environment} credits`} onClick={() => (asked.value = "grant")}>
              Grant
            </Button>
          )}
        </>
      }
    >
      <ProblemNotice problem={problem} onRetry={reload} />
      {data === undefined && problem === undefined && <Loading />}
      {data && (
        <Facts
          facts={[
            ["Balance", <Balance key="balance" balance={data.balance} threshold={data.low_balance_threshold} />],
            ["Lasts for", <BalanceDuration key="lasting" {...{ environment, organization }} balance={data.balance} />],
            [
              "Low below",
              data.low_balance_threshold === null ? (
                <span class="muted">Not set</span>
              ) : (
                <Amount key="threshold" value={data.low_balance_threshold} />
              )
            ]
          ]}
        />
      )}
      {data && environment === "live" && !may("grantCredits") && (
        <p class="muted">Live credits are added by whoever runs this service, once an invoice is paid.</p>
      )}
      {asked.value === "grant" && <GrantDialog {...{ environment, organization }} onClose={close} onDone={change} />}
      {asked.value === "threshold" && data && (
        <ThresholdDialog
          {...{ environment, organization }}
          threshold={data.low_balance_threshold}
          onClose={close}
          onDone={reload}
        />
      )}
    </Section>
  )
}

const Balance = ({ balance, threshold }: { readonly balance: number; readonly threshold: number | null }) => (
  <>
    <span class="balance">{formatAmount(balance)}</span>{" "}
    {balance === 0 ? (
      <Badge tone="bad">Used up</Badge>
    ) : (
      threshold !== null && balance < threshold && <Badge tone="warning">Low</Badge>
    )}
  </>
)

const BalanceDuration = ({ balance, environment, organization }: CreditAccount & { readonly balance: number }) => {
  const { data, problem } = useLoad("GET /v1/admin/organizations/:id/usage", {
    params: { id: organization },
    query: { environment }
  })
  if (problem) return <span class="muted">Not known: usage did not load</span>
  if (data === undefined) return <span class="muted">…</span>
  const days = daysLeft(balance, data.usage, Date.now())
  if (days === undefined) return <span class="muted">Nothing spent in 30 days</span>
  return (
    <>
      <Amount value={days} unit={days === 1 ? "day" : "days"} />
      <span class="secondary">at the pace of the last 30 days, or since the first charge if that is later</span>
    </>
  )
}
