import { accessLevels } from "@postcode/core/AccessLevel"
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useAllPages, type Whole } from "../../../hooks/useAllPages.ts"
import { KybBadge } from "../../../kit/data/KybBadge.tsx"
import { Time } from "../../../kit/data/Time.tsx"
import { Loading } from "../../../kit/feedback/Loading.tsx"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../../kit/feedback/ProblemNotice.tsx"
import { Button, ButtonLink } from "../../../kit/forms/Button.tsx"
import { PageHeader } from "../../../kit/layout/PageHeader.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { Table } from "../../../kit/tables/Table.tsx"
import {
  type Organization,
  organization,
  organizationProblem,
  reloadOrganization
} from "../../../state/organization.ts"
import { may } from "../../../state/permissions.ts"
import type { AccessRequest } from "./AccessRequest.ts"
import { KybForm } from "./KybForm.tsx"
import { LevelsTable } from "./LevelsTable.tsx"
import { RequestBadge } from "./RequestBadge.tsx"
import { RequestLevelDialog } from "./RequestLevelDialog.tsx"
import { SubmissionFacts } from "./SubmissionFacts.tsx"
import { AuditTimeline, KnownTimeline } from "./Timeline.tsx"
import "./reviews.css"

/** Verification, granted level and level requests of an organization. */
export const VerificationScreen = () => {
  const shown = organization.value
  return (
    <>
      <PageHeader
        title="Verification and access"
        lead="Live keys need a verified business. How much of a postcode they see is the access level."
      />
      <ProblemNotice problem={organizationProblem.value} onRetry={reloadOrganization} />
      {shown === undefined && organizationProblem.value === undefined && <Loading />}
      {shown &&
        (may("listAccessRequests") ? <WithRequests organization={shown} /> : <ReviewState organization={shown} />)}
    </>
  )
}

interface OfOrganization {
  readonly organization: Organization
}

/** For accounts without permission to list requests. */
const ReviewState = ({ organization }: OfOrganization) => (
  <>
    <BusinessSection organization={organization} />
    <Section title="Access level">
      <LevelsTable granted={organization.granted_level} pending={[]} />
    </Section>
  </>
)

const WithRequests = ({ organization: shown }: OfOrganization) => {
  const isAsking = useSignal(false)
  const times = useSignal(0)
  const requests = useAllPages(
    "GET /v1/admin/access-requests",
    { query: { organization_id: shown.id } },
    ({ access_requests }) => access_requests
  )
  const rows = requests.rows ?? []
  const pending = rows.filter(({ status }) => status === "pending").map(({ level }) => level)
  const levels = accessLevels.filter((level) => level > shown.granted_level && !pending.includes(level))
  const ask = may("createAccessRequest") && levels.length > 0 && (
    <Button icon="plus" onClick={() => (isAsking.value = true)}>
      Ask for a higher level
    </Button>
  )
  const refresh = () => times.value++
  return (
    <>
      <BusinessSection organization={shown} onDone={refresh} />
      <Section title="Access level" actions={ask}>
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
      {isAsking.value && (
        <RequestLevelDialog
          organization={shown}
          levels={levels}
          onClose={() => (isAsking.value = false)}
          onDone={() => {
            requests.reload()
            refresh()
          }}
        />
      )}
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
        <Notice tone={kyb_status === "rejected" ? "bad" : "info"} title="What the last review says">
          <p>{review_note}</p>
        </Notice>
      )}
      {(kyb_submission !== undefined || !canAsk) && <SubmissionFacts submission={kyb_submission} />}
      {canAsk && <KybForm key={kyb_status} organization={organization} onDone={onDone} />}
      {isOpen && !canAsk && <p class="muted">An owner of the organization can ask for it.</p>}
    </Section>
  )
}

const meanings: Readonly<Record<Organization["kyb_status"], string>> = {
  unverified: "Say which business this is. An operator looks at it, and live keys can be made after that.",
  pending: "An operator looks at it. Nothing can be changed meanwhile.",
  verified: "Live keys can be made.",
  rejected: "It can be asked for again, once what the review says is mended."
}

interface RequestsSectionProps {
  readonly requests: Whole<AccessRequest>
  readonly ask: ComponentChildren
}

const RequestsSection = ({ ask, requests: { isLoading, problem, reload, rows } }: RequestsSectionProps) => (
  <Section title="Requests for levels">
    <ProblemNotice problem={problem} onRetry={reload} />
    <Table
      caption="Requests for levels"
      rows={rows}
      isLoading={isLoading}
      keyOf={({ id }) => id}
      empty={
        <>
          <p>No level was asked for yet.</p>
          {ask}
        </>
      }
      columns={[
        { head: "Level", cell: ({ level }) => `Level ${level}` },
        { head: "Reason", cell: ({ reason }) => reason },
        { head: "Status", cell: ({ status }) => <RequestBadge status={status} /> },
        { head: "Answer", cell: ({ note }) => note ?? "–" },
        { head: "Asked", cell: ({ created_at }) => <Time at={created_at} /> }
      ]}
    />
  </Section>
)
