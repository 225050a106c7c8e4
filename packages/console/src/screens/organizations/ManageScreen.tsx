import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { type Loaded, useLoad } from "../../hooks/useLoad.ts"
import { Amount } from "../../kit/data/Amount.tsx"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { countOf, maxCounted } from "../../kit/data/countOf.ts"
import { Facts } from "../../kit/data/Facts.tsx"
import { KybBadge } from "../../kit/data/KybBadge.tsx"
import { RenameNotice } from "../../kit/data/organizationFacts.tsx"
import { requestLimit } from "../../kit/data/requestLimit.ts"
import { Time } from "../../kit/data/Time.tsx"
import { openDialog } from "../../kit/dialogs/openedDialog.ts"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { WithOrganization } from "../../kit/feedback/WithOrganization.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { type Organization, organization } from "../../state/organization.ts"
import { ChangeForm } from "./ChangeForm.tsx"
import { RenameOrganizationDialog } from "./RenameOrganizationDialog.tsx"
import { SubmissionFacts } from "./reviews/SubmissionFacts.tsx"
import { AuditTimeline } from "./reviews/Timeline.tsx"
import { StatusSection } from "./StatusSection.tsx"
import "./reviews/reviews.css"

/** An organization's data and settings, for operators. */
export const ManageScreen = () => {
  const shown = organization.value
  return (
    <>
      <PageHeader title={shown === undefined ? "Manage" : `Manage ${shown.name}`}>
        {shown && <Button onClick={() => openDialog(<RenameOrganizationDialog organization={shown} />)}>Rename</Button>}
      </PageHeader>
      <WithOrganization>{(shown) => <Managed key={shown.id} organization={shown} />}</WithOrganization>
    </>
  )
}

const Managed = ({ organization: shown }: { readonly organization: Organization }) => {
  const times = useSignal(0)
  const { granted_level, id, kyb_status, kyb_submission, review_note } = shown
  return (
    <>
      <StandingSection organization={shown} />
      <StatusSection organization={shown} />
      <Section title="Business" actions={<KybBadge status={kyb_status} />}>
        <RenameNotice organization={shown} />
        <SubmissionFacts submission={kyb_submission} />
        {review_note !== undefined && <Facts facts={[["Note of the last review", review_note]]} />}
      </Section>
      <div class="grid">
        <Section title="Access level, verification and limit">
          <ChangeForm
            key={`${granted_level} ${kyb_status} ${shown.rate_limit_per_minute} ${times.value}`}
            organization={shown}
            onDone={() => times.value++}
          />
        </Section>
        <Section title="History">
          <AuditTimeline key={times.value} organization={id} />
        </Section>
      </div>
    </>
  )
}

const StandingSection = ({ organization }: { organization: Organization }) => {
  const { created_at, granted_level, id } = organization
  const params = { id }
  const test = useLoad("GET /v1/admin/organizations/:id/credits", { params, query: { environment: "test", limit: 1 } })
  const live = useLoad("GET /v1/admin/organizations/:id/credits", { params, query: { environment: "live", limit: 1 } })
  const keys = useLoad("GET /v1/admin/organizations/:id/keys", { params, query: { limit: maxCounted } })
  const members = useLoad("GET /v1/admin/organizations/:id/members", { params, query: { limit: maxCounted } })
  const failed: ReadonlyArray<Loaded<unknown>> = [test, live, keys, members].filter(({ problem }) => problem)
  const link = (to: string, words: ComponentChildren) => <a href={`#/organizations/${id}/${to}`}>{words}</a>
  return (
    <Section title="Facts">
      <ProblemNotice
        problem={failed[0]?.problem}
        onRetry={() => {
          for (const { reload } of failed) reload()
        }}
      />
      <Facts
        class="facts counts"
        facts={[
          ["Highest access level", `Level ${granted_level}`],
          ["Requests a minute", requestLimit(organization)],
          ["Test credits", test.data ? link("credits", <Amount value={test.data.balance} />) : "…"],
          ["Live credits", live.data ? link("credits", <Amount value={live.data.balance} />) : "…"],
          ["Keys", keys.data ? link("keys", countOf(keys.data.keys, keys.data.next_cursor)) : "…"],
          ["Members", members.data ? link("members", countOf(members.data.accounts, members.data.next_cursor)) : "…"],
          ["Created", <Time key="created" at={created_at} />],
          ["Id", <Copyable key="id" value={id} label="id" isNamed />]
        ]}
      />
    </Section>
  )
}
