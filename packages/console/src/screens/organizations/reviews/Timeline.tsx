/** The history of an organization's reviews, newest first. */
import type { ComponentChildren } from "preact"
import { usePages } from "../../../hooks/usePages.ts"
import { Time } from "../../../kit/data/Time.tsx"
import { WhenLoaded } from "../../../kit/feedback/WhenLoaded.tsx"
import { Pager } from "../../../kit/tables/Pager.tsx"
import type { Organization } from "../../../state/organization.ts"
import { type Action, type AuditEvent, phrases } from "../../audit/actions.ts"
import { nameOf, useActorNames } from "../../audit/useActorNames.ts"
import type { AccessRequest } from "./AccessRequest.ts"

const actions: ReadonlyArray<Action> = [
  "organization.created",
  "organization.kyb_submitted",
  "organization.updated",
  "access_request.created",
  "access_request.decided"
]

/** From the audit log, if the account may read it. */
export const AuditTimeline = ({ organization }: { readonly organization: string }) => {
  const people = useActorNames(organization)
  const query = { organization_id: organization, action: actions.join(","), limit: 20 }
  const pages = usePages("GET /v1/admin/audit", { query })
  const stepOf = ({ action, actor, at, details, id, subject }: AuditEvent) => ({
    id,
    at,
    words: (
      <>
        <strong>{nameOf(actor, people)}</strong> {phrases[action](details, nameOf(subject, people))}
      </>
    )
  })
  return (
    <>
      <WhenLoaded loaded={pages}>{({ events }) => <Steps steps={events.map(stepOf)} />}</WhenLoaded>
      <Pager {...pages} />
    </>
  )
}

export interface KnownTimelineProps {
  readonly organization: Organization
  readonly requests: ReadonlyArray<AccessRequest>
}

/** Otherwise from the organization and its requests. */
export const KnownTimeline = ({ organization, requests }: KnownTimelineProps) => {
  const { created_at, id, kyb_submission } = organization
  const steps = [
    { id, at: created_at, words: "The organization was created" },
    ...(kyb_submission === undefined
      ? []
      : [
          {
            id: "kyb",
            at: kyb_submission.submitted_at,
            words: `Verification was requested as “${kyb_submission.business_name}”`
          }
        ]),
    ...requests.flatMap(({ created_at, decided_at, id, level, note, status }) => [
      { id, at: created_at, words: `Access level ${level} was requested` },
      ...(decided_at === undefined
        ? []
        : [
            {
              id: `${id} decided`,
              at: decided_at,
              words: `Access level ${level} was ${status}${note ? `: “${note}”` : ""}`
            }
          ])
    ])
  ]
  return <Steps steps={steps.sort((a, b) => b.at.localeCompare(a.at))} />
}

interface Step {
  readonly id: string
  readonly at: string
  readonly words: ComponentChildren
}

const Steps = ({ steps }: { readonly steps: ReadonlyArray<Step> }) =>
  steps.length === 0 ? (
    <p class="muted">No events yet.</p>
  ) : (
    <ol class="timeline">
      {steps.map(({ at, id, words }) => (
        <li key={id}>
          {words}
          <span class="secondary">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ol>
  )
