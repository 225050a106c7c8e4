import { useSignal } from "@preact/signals"
import { Button } from "../kit/Button.tsx"
import { Copyable } from "../kit/Copyable.tsx"
import { Facts } from "../kit/Facts.tsx"
import { KybBadge } from "../kit/KybBadge.tsx"
import { Loading } from "../kit/Loading.tsx"
import { PageHeader } from "../kit/PageHeader.tsx"
import { ProblemNotice } from "../kit/ProblemNotice.tsx"
import { requestLimit } from "../kit/requestLimit.ts"
import { Section } from "../kit/Section.tsx"
import { Time } from "../kit/Time.tsx"
import { type Organization, organization, organizationProblem, reloadOrganization } from "../state/organization.ts"
import { may } from "../state/permissions.ts"
import { BalanceCard } from "./home/BalanceCard.tsx"
import { Checklist } from "./home/Checklist.tsx"
import { useStanding } from "./home/useStanding.ts"
import { RenameOrganizationDialog } from "./organizations/RenameOrganizationDialog.tsx"
import "./home/home.css"

/** One organization at a glance: what it has, what it uses, and what is to be done next. */
export const OverviewScreen = () => {
  const isRenaming = useSignal(false)
  const shown = organization.value
  return (
    <>
      <PageHeader title={shown?.name ?? "Organization"}>
        {shown && may("renameOrganization") && <Button onClick={() => (isRenaming.value = true)}>Rename</Button>}
      </PageHeader>
      <ProblemNotice problem={organizationProblem.value} onRetry={reloadOrganization} />
      {shown === undefined && organizationProblem.value === undefined && <Loading />}
      {shown && <Home key={shown.id} organization={shown} />}
      {isRenaming.value && shown && (
        <RenameOrganizationDialog organization={shown} onClose={() => (isRenaming.value = false)} />
      )}
    </>
  )
}

const Home = ({ organization: shown }: { readonly organization: Organization }) => {
  const { keys, live, test } = useStanding(shown.id)
  return (
    <>
      <div class="cards">
        <BalanceCard environment="test" organization={shown.id} standing={test} />
        <BalanceCard environment="live" organization={shown.id} standing={live} />
      </div>
      <ProblemNotice problem={keys.problem} onRetry={keys.reload} />
      <Checklist organization={shown} keys={keys} live={live} test={test} />
      <Section title="About">
        <Facts
          facts={[
            ["Verification", <KybBadge key="kyb" status={shown.kyb_status} />],
            ["Highest level", `Level ${shown.granted_level}`],
            ["Requests a minute", requestLimit(shown)],
            ["Created", <Time key="created" at={shown.created_at} />],
            ["Id", <Copyable key="id" value={shown.id} label="the organization’s id" />]
          ]}
        />
      </Section>
    </>
  )
}
