import { accessLevels } from "@postcode/core/AccessLevel"
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useAllPages } from "../../../hooks/useAllPages.ts"
import type { Loaded } from "../../../hooks/useLoad.ts"
import { badgeOf } from "../../../kit/data/Badge.tsx"
import { KybBadge } from "../../../kit/data/KybBadge.tsx"
import { levelMeaning } from "../../../kit/data/levels.ts"
import { Time } from "../../../kit/data/Time.tsx"
import { openDialog } from "../../../kit/dialogs/openedDialog.ts"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { WithOrganization } from "../../../kit/feedback/WithOrganization.tsx"
import { Button, ButtonLink } from "../../../kit/forms/Button.tsx"
import { PageHeader } from "../../../kit/layout/PageHeader.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { Table } from "../../../kit/tables/Table.tsx"
import type { Organization } from "../../../state/organization.ts"
import { may } from "../../../state/permissions.ts"
import type { AccessRequest } from "./AccessRequest.ts"
import { KybForm } from "./KybForm.tsx"
import { LevelsTable } from "./LevelsTable.tsx"
import { RequestLevelDialog } from "./RequestLevelDialog.tsx"
import { SubmissionFacts } from "./SubmissionFacts.tsx"
import { AuditTimeline, KnownTimeline } from "./Timeline.tsx"
import "./reviews.css"

/** Verification, granted level and access requests of an organization. */
export const VerificationScreen = () => (
  <>
    <PageHeader
      title="Verification and access"
      lead="Live keys need a verified business. A higher access level needs an access request."
    />
    <WithOrganization>
      {(shown) =>
        may("listAccessRequests") ? <WithRequests organization={shown} /> : <ReviewState organization={shown} />
      }
    </WithOrganization>
  </>
)

interface OfOrganization {
  readonly organization: Organization
}

/** For accounts without permission to list requests. */
const ReviewState = ({ organization }: OfOrganization) => (
  <>
    <BusinessSection organization={organization} />
    <Section title="Access level" lead={levelMeaning}>
      <LevelsTable granted={organization.granted_level} pending={[]} />
    </Section>
  </>
)

const WithRequests = ({ organization: shown }: OfOrganization) => {
  const times = useSignal(0)
  const requests = useAllPages(
    "GET /v1/admin/access-requests",
    { query: { organization_id: shown.id } },
    ({ access_requests }) => access_requests
  )
  const rows = requests.data ?? []
  const pending = rows.filter(({ status }) => status === "pending").map(({ level }) => level)
  const levels = accessLevels.filter((level) => level > shown.granted_level && !pending.includes(level))
  const refresh = () => times.value++
  const onDone = () => {
    requests.reload()
    refresh()
  }
  const open = () => openDialog(<RequestLevelDialog organization={shown} levels={levels} onDone={onDone} />)
  const ask = may("createAccessRequest") && levels.length > 0 && (
    <Button icon="plus" onClick={open}>
      Request a higher level
    </Button>
  )
  return (
    <>
      <BusinessSection organization={shown} onDone={refresh} />
      <Section title="Access level" lead={levelMeaning} actions={ask}>
        <LevelsTable granted={shown.granted_level} pending={pending} />
      </Section>
      <RequestsSection requests={requests} ask={ask} />
      <Section title="History">
        {may("audit") ? (
          <AuditTimeline key={times.value} organization={shown.id} />
        ) : (
          <KnownTimeline organization={shown} requests={rows} />
        )}
      </Section>
    </>
  )
}

const BusinessSection = ({ onDone = () => undefined, organization }: OfOrganization & { onDone?: () => void }) => {
  const { id, kyb_status, kyb_submission, review_note } = organization
  const isOpen = kyb_status === "unverified" || kyb_status === "rejected"
  const canAsk = isOpen && may("submitKyb")
  return (
    <Section
      title="Business"
      lead={meanings[kyb_status]}
      actions={
        <>
          <KybBadge status={kyb_status} />
          {kyb_status === "pending" && may("decideAccessRequest") && (
            <ButtonLink to={`/reviews?item=${id}`}>Review</ButtonLink>
          )}
        </>
      }
    >
      {review_note !== undefined && (
        <Notice tone={kyb_status === "rejected" ? "bad" : "info"} title="Note of the last review">
          <p>{review_note}</p>
        </Notice>
      )}
      {(kyb_submission !== undefined || !canAsk) && <SubmissionFacts submission={kyb_submission} />}
      {canAsk && <KybForm key={kyb_status} organization={organization} onDone={onDone} />}
      {isOpen && !canAsk && <p class="muted">An owner of the organization can request it.</p>}
    </Section>
  )
}

const meanings: Readonly<Record<Organization["kyb_status"], string>> = {
  unverified: "Describe your business. After an operator verifies it, you can create live keys.",
  pending: "An operator reviews it. You cannot change it during the review.",
  verified: "You can create live keys.",
  rejected: "Correct what the note says, then request verification again."
}

interface RequestsSectionProps {
  readonly requests: Loaded<ReadonlyArray<AccessRequest>>
  readonly ask: ComponentChildren
}

const RequestsSection = ({ ask, requests }: RequestsSectionProps) => (
  <Section title="Access requests">
    <Table
      caption="Access requests"
      loaded={requests}
      rows={requests.data}
      keyOf={({ id }) => id}
      empty={
        <>
          <p>No access request yet.</p>
          {ask}
        </>
      }
      columns={[
        { head: "Access level", cell: ({ level }) => `Level ${level}` },
        { head: "Reason", cell: ({ reason }) => reason },
        { head: "Status", cell: ({ status }) => <RequestBadge status={status} /> },
        { head: "Note", cell: ({ note }) => note ?? "–" },
        { head: "Requested", cell: ({ created_at }) => <Time at={created_at} /> }
      ]}
    />
  </Section>
)

const RequestBadge = badgeOf<AccessRequest["status"]>({
  approved: ["Approved", "good"],
  pending: ["Pending", "warning"],
  rejected: ["Rejected", "bad"]
})
