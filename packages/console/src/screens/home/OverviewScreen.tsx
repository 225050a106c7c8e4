import { useSignal } from "@preact/signals"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Facts } from "../../kit/data/Facts.tsx"
import { KybBadge } from "../../kit/data/KybBadge.tsx"
import { requestLimit } from "../../kit/data/requestLimit.ts"
import { Time } from "../../kit/data/Time.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { WithOrganization } from "../../kit/feedback/WithOrganization.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { environment } from "../../state/environment.ts"
import { type Organization, organization } from "../../state/organization.ts"
import { may } from "../../state/permissions.ts"
import { RenameOrganizationDialog } from "../organizations/RenameOrganizationDialog.tsx"
import { Activity } from "./Activity.tsx"
import { BalanceCard } from "./BalanceCard.tsx"
import { Checklist } from "./Checklist.tsx"
import { StatusNotice } from "./StatusNotice.tsx"
import { stepsTo } from "./steps.ts"
import { Tasks } from "./Tasks.tsx"
import { useOrganizationState } from "./useOrganizationState.ts"
import { useTasks } from "./useTasks.ts"
import "./home.css"

/** An organization at a glance: balance, usage and next steps. */
export const OverviewScreen = () => {
  const shown = organization.value
  return (
    <>
      <PageHeader title={shown?.name ?? "Organization"}>
        {shown && may("renameOrganization") && (
          <Button onClick={() => openDialog(<RenameOrganizationDialog organization={shown} />)}>Rename</Button>
        )}
      </PageHeader>
      <WithOrganization>{(shown) => <Home key={shown.id} organization={shown} />}</WithOrganization>
    </>
  )
}

const Home = ({ organization: shown }: { readonly organization: Organization }) => {
  const state = useOrganizationState(shown.id)
  const { keys, live, test } = state
  const tasks = useTasks(shown, state)
  const steps = stepsTo(shown, state)
  const isSetUp = steps?.every(({ isDone }) => isDone)
  /** Test requests that were sent from here. */
  const sent = useSignal(0)
  const onSent = () => {
    sent.value++
    test.credits.reload()
    test.usage.reload()
    keys.reload()
  }
  return (
    <>
      {shown.status !== "active" && <StatusNotice organization={shown} />}
      {tasks !== undefined && (tasks.length > 0 || isSetUp) && <Tasks tasks={tasks} />}
      {steps !== undefined && (!isSetUp || sent.value > 0) && (
        <Checklist organization={shown} steps={steps} isSent={sent.value > 0} onSent={onSent} />
      )}
      <div class="grid cards">
        <BalanceCard environment="test" organization={shown.id} standing={test} />
        <BalanceCard environment="live" organization={shown.id} standing={live} />
      </div>
      <ProblemNotice problem={keys.problem} onRetry={keys.reload} />
      <Activity key={`${environment.value} ${sent.value}`} organization={shown.id} keys={keys} />
      <Section title="About">
        <Facts
          facts={[
            ["Verification", <KybBadge key="kyb" status={shown.kyb_status} />],
            ["Highest access level", `Level ${shown.granted_level}`],
            ["Requests a minute", requestLimit(shown)],
            ["Created", <Time key="created" at={shown.created_at} />],
            ["Id", <Copyable key="id" value={shown.id} label="id" isNamed />]
          ]}
        />
      </Section>
    </>
  )
}
