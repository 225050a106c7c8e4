import { useLoad } from "../../../hooks/useLoad.ts"
import { Time } from "../../../kit/data/Time.tsx"
import { subjectOf, type Waiting } from "./queue.ts"

export interface QueueListProps {
  readonly queue: ReadonlyArray<Waiting>
  readonly opened: Waiting
  readonly onOpen: (item: Waiting) => void
}

/** The head of the review queue. */
export const QueueList = ({ onOpen, opened, queue }: QueueListProps) => (
  <>
    <ul class="picks queue" aria-label="Waiting, oldest first">
      {queue.slice(0, most).map((item) => (
        <li key={item.id}>
          <button
            type="button"
            class="switch"
            aria-current={item.id === opened.id ? "true" : undefined}
            onClick={() => onOpen(item)}
          >
            <span class="name">
              {item.kind === "business" ? item.organization.name : <Name id={item.organization_id} />}
              <span class="secondary">
                {subjectOf(item)} · <Time at={item.since} />
              </span>
              <span class="secondary">{item.organization_id}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
    {queue.length > most && <p class="muted">And {queue.length - most} more after these.</p>}
  </>
)

/** Limited, because each entry loads its organization's name. */
const most = 20

/** A request contains only the id of its organization. */
const Name = ({ id }: { readonly id: string }) => {
  const { data } = useLoad("GET /v1/admin/organizations/:id", { params: { id } })
  return <>{data?.name ?? id}</>
}
