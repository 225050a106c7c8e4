import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { foundExamples } from "../../client/examples.ts"
import { send } from "../../client/send.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import type { Organization } from "../../state/organization.ts"
import { call } from "../../state/session.ts"

export interface SendRequestProps {
  readonly organization: Organization
  /** Called after the service answered. */
  readonly onDone: () => void
}

/** Sends a real lookup with a test key that is created for it and expires in an hour. */
export const SendRequest = ({ onDone, organization }: SendRequestProps) => {
  const answer = useSignal<Answer | undefined>(undefined)
  const action = useAction(async () => {
    const { code } = await foundExamples(new AbortController().signal)
    const { secret } = await call("POST /v1/admin/organizations/:id/keys", {
      params: { id: organization.id },
      body: {
        name: "Request from the console",
        kind: "secret",
        environment: "test",
        scopes: ["lookup"],
        max_level: organization.granted_level,
        expires_at: new Date(Date.now() + 3_600_000).toISOString()
      }
    })
    const level = organization.granted_level > 1 ? 2 : 1
    answer.value = await send("GET /v1/lookup", { query: { code, level } }, { key: secret })
    onDone()
  })
  return (
    <>
      <Button kind="primary" icon="play" isBusy={action.isBusy} onClick={action.run}>
        Send a test request
      </Button>
      <ProblemNotice problem={action.problem} onRetry={action.run} />
      {answer.value && (
        <div role="status">
          <Notice tone="good" title="The service answered">
            <p>
              <code>{answer.value.postcode}</code> {placeOf(answer.value)}. The key expires in an hour.
            </p>
            <a href={`#/organizations/${organization.id}/try`}>Try other requests</a>
          </Notice>
        </div>
      )}
    </>
  )
}

type Answer = DataOf<"GET /v1/lookup">

const placeOf = ({ administrative_address: place, status }: Answer): string =>
  place?.lga_name === undefined
    ? { valid: "exists", retired: "is retired", not_found: "does not exist" }[status]
    : `is in ${[place.locality_name, place.lga_name, place.state_name].filter(Boolean).join(", ")}`
