import { useLayoutEffect, useRef } from "preact/hooks"
import { useLoad } from "../../../hooks/useLoad.ts"
import { type Fact, Facts } from "../../../kit/data/Facts.tsx"
import { KybBadge } from "../../../kit/data/KybBadge.tsx"
import { addedAt } from "../../../kit/data/levels.ts"
import { identityFacts, RenameNotice } from "../../../kit/data/organizationFacts.tsx"
import { Time } from "../../../kit/data/Time.tsx"
import { Notice } from "../../../kit/feedback/Notice.tsx"
import { WhenLoaded } from "../../../kit/feedback/WhenLoaded.tsx"
import { Button } from "../../../kit/forms/Button.tsx"
import type { Organization } from "../../../state/organization.ts"
import { DecisionForm } from "./DecisionForm.tsx"
import type { Waiting } from "./queue.ts"
import { SubmissionFacts } from "./SubmissionFacts.tsx"
import { AuditTimeline } from "./Timeline.tsx"

export interface ReviewPanelProps {
  readonly item: Waiting
  /** Whether the user has just opened it: then the focus moves to its heading. */
  readonly takesFocus: boolean
  /** Called after the decision, also if somebody else made it. */
  readonly onDone: (words: string) => void
}

/** One review: the organization, the request, its history and the decision. */
export const ReviewPanel = ({ item, onDone, takesFocus }: ReviewPanelProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [])
  const { organization_id: id } = item
  const loaded = useLoad("GET /v1/admin/organizations/:id", { params: { id } })
  const { data } = loaded
  const isDecided = item.kind === "business" && data !== undefined && data.kyb_status !== "pending"
  return (
    <section class="section" aria-labelledby="review">
      <h2 ref={heading} id="review" tabIndex={-1}>
        {data?.name ?? "Organization"}:{" "}
        {item.kind === "business" ? "verification" : `access level ${item.request.level}`}
      </h2>
      <WhenLoaded loaded={loaded}>{(data) => <Asked item={item} organization={data} />}</WhenLoaded>
      {isDecided && (
        <Notice title="Another operator has decided" isSpoken>
          <Button onClick={() => onDone("Already decided")}>Continue</Button>
        </Notice>
      )}
      <div class="grid">
        {data && !isDecided && <DecisionForm item={item} onDecided={onDone} />}
        <div class="stack">
          <h3>History</h3>
          <AuditTimeline organization={id} />
        </div>
      </div>
    </section>
  )
}

const Asked = ({ item, organization }: { readonly item: Waiting; readonly organization: Organization }) => {
  const { granted_level, id, kyb_status, name } = organization
  const shared: ReadonlyArray<Fact> = [
    [
      "Organization",
      <a key="name" href={`#/organizations/${id}/manage`}>
        {name}
      </a>
    ],
    ...identityFacts(organization),
    ["Verification", <KybBadge key="kyb" status={kyb_status} />],
    ["Current access level", `Level ${granted_level}`]
  ]
  if (item.kind === "business") {
    return (
      <>
        <Facts facts={shared} />
        <SubmissionFacts submission={organization.kyb_submission} />
        <OtherName organization={organization} />
      </>
    )
  }
  const { level, reason } = item.request
  return (
    <>
      <Facts
        facts={[
          ...shared,
          ["Adds", addedAt(level)],
          ["Requested", <Time key="asked" at={item.since} />],
          ["Reason", reason]
        ]}
      />
      <RenameNotice organization={organization} />
      {kyb_status !== "verified" && <Notice tone="warning" title="The business is not verified" />}
    </>
  )
}

/** A warning if the business and the organization have different names. */
const OtherName = ({ organization: { kyb_submission, name } }: { readonly organization: Organization }) => {
  const business = kyb_submission?.business_name ?? name
  return (
    lettersOf(business) !== lettersOf(name) && (
      <Notice tone="warning" title="The names differ">
        <p>
          The business is called “{business}”, the organization “{name}”. Check that they belong together.
        </p>
      </Notice>
    )
  )
}

/** Without case, spaces and punctuation. */
const lettersOf = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "")
