import { useSignal } from "@preact/signals"
import { useAllPages } from "../../../hooks/useAllPages.ts"
import { announce } from "../../../kit/feedback/announce.ts"
import { Loading } from "../../../kit/feedback/Loading.tsx"
import { ProblemNotice } from "../../../kit/feedback/ProblemNotice.tsx"
import { Button, ButtonLink } from "../../../kit/forms/Button.tsx"
import { PageHeader } from "../../../kit/layout/PageHeader.tsx"
import { Section } from "../../../kit/layout/Section.tsx"
import { queryField } from "../../../router/queryField.ts"
import { reloadOrganization } from "../../../state/organization.ts"
import { QueueList } from "./QueueList.tsx"
import { nextAfter, queueOf, type Waiting } from "./queue.ts"
import { ReviewPanel } from "./ReviewPanel.tsx"
import "./reviews.css"

/** The queue of reviews, oldest first, and the opened one. */
export const ReviewsScreen = () => {
  const decided = useSignal<ReadonlySet<string>>(new Set())
  const businesses = useAllPages("GET /v1/admin/organizations", pendingBusinesses, (data) => data.organizations)
  const requests = useAllPages("GET /v1/admin/access-requests", pendingRequests, (data) => data.access_requests)
  const reload = () => {
    decided.value = new Set()
    businesses.reload()
    requests.reload()
  }
  const problem = businesses.problem ?? requests.problem
  const isLoading = businesses.isLoading || requests.isLoading
  const queue = queueOf(businesses.data ?? [], requests.data ?? []).filter(({ id }) => !decided.value.has(id))
  return (
    <>
      <PageHeader title="Reviews" lead="Businesses to verify and access requests to review, oldest first.">
        <Button isBusy={isLoading} onClick={reload}>
          Refresh
        </Button>
      </PageHeader>
      <ProblemNotice problem={problem} onRetry={reload} />
      {isLoading && <Loading />}
      {!isLoading && problem === undefined && (
        <Queue
          queue={queue}
          onDecided={(item) => {
            decided.value = new Set([...decided.value, item.id])
          }}
        />
      )}
    </>
  )
}

const pendingBusinesses = { query: { kyb_status: "pending", order: "oldest" } } as const
const pendingRequests = { query: { status: "pending", order: "oldest" } } as const

/** The opened review; the first one by default. */
const opened = queryField("item")

interface QueueProps {
  readonly queue: ReadonlyArray<Waiting>
  readonly onDecided: (item: Waiting) => void
}

const Queue = ({ onDecided, queue }: QueueProps) => {
  const hasMoved = useSignal(false)
  const item = queue.find(({ id }) => id === opened.value) ?? queue[0]
  if (item === undefined) return <Nothing />
  return (
    <div class="reviews">
      <Section title={`${queue.length} waiting`}>
        <QueueList
          queue={queue}
          opened={item}
          onOpen={({ id }) => {
            hasMoved.value = true
            opened.value = id
          }}
        />
      </Section>
      <ReviewPanel
        key={item.id}
        item={item}
        takesFocus={hasMoved.value}
        onDone={(words) => {
          hasMoved.value = true
          opened.value = nextAfter(queue, item.id)?.id ?? ""
          onDecided(item)
          void reloadOrganization()
          announce(words)
        }}
      />
    </div>
  )
}

const Nothing = () => (
  <div class="empty">
    <p>No pending reviews.</p>
    <ButtonLink to="/organizations">Organizations</ButtonLink>
  </div>
)
