import type { AccessLevel } from "@postcode/core/AccessLevel"
import { useSignal } from "@preact/signals"
import type { DataOf } from "../../client/Contract.ts"
import { foundExamples, sandboxUnit } from "../../client/examples.ts"
import { send } from "../../client/send.ts"
import { useAction } from "../../hooks/useAction.ts"
import { Notice } from "../../kit/feedback/Notice.tsx"
import { ProblemNotice } from "../../kit/feedback/ProblemNotice.tsx"
import { Button } from "../../kit/forms/Button.tsx"
import { instance } from "../../state/instance.ts"
import type { Organization } from "../../state/organization.ts"
import { makeOwnTestKey } from "../keys/ownTestKey.ts"

export interface SendRequestProps {
  readonly organization: Organization
  /** Called after the service answered. */
  readonly onDone: () => void
}

/** Sends a real lookup with a test key that is created for it and expires in an hour, and shows what it cost. */
export const SendRequest = ({ onDone, organization }: SendRequestProps) => {
  const sent = useSignal<Sent | undefined>(undefined)
  const action = useAction(async () => {
    const key = { name: "Request from the console", scopes: ["lookup"], max_level: 5 } as const
    const secret = await makeOwnTestKey(organization.id, key)
    sent.value = await firstAnswer(secret, organization.granted_level)
    onDone()
  })
  return (
    <>
      <Button kind="primary" icon="play" isBusy={action.isBusy} onClick={action.run}>
        Send a test request
      </Button>
      <ProblemNotice problem={action.problem} onRetry={action.run} />
      {sent.value && (
        <div role="status">
          <Notice tone="good" title={`The service answered at level ${sent.value.level}`}>
            <p>
              <code>{sent.value.answer.postcode}</code> {meaningOf(sent.value.answer)}.
            </p>
            <p>
              In live, this answer costs {countOf(sent.value.price)}. Here it cost as many test credits. The key expires
              in an hour.
            </p>
            <a href={`#/organizations/${organization.id}/try`}>Try other requests</a>
          </Notice>
        </div>
      )}
    </>
  )
}

type Answer = DataOf<"GET /v1/lookup">

interface Sent {
  readonly answer: Answer
  readonly level: AccessLevel
  readonly price: number
}

/** A unit of the sandbox is answered at every level; without a sandbox, a real one is at the granted level. */
const firstAnswer = async (key: string, granted: AccessLevel): Promise<Sent> => {
  const look = (code: string, level: AccessLevel) => send("GET /v1/lookup", { query: { code, level } }, { key })
  const prices = await send("GET /v1/reference/prices", {})
  if (instance.value?.hasSandbox) return { answer: await look(sandboxUnit, 5), level: 5, price: prices.lookup[5] }
  const { code } = await foundExamples(new AbortController().signal)
  const level = granted > 1 ? 2 : 1
  return { answer: await look(code, level), level, price: prices.lookup[level] }
}

const countOf = (credits: number): string => (credits === 1 ? "1 credit" : `${credits} credits`)

const meaningOf = ({
  administrative_address: place,
  other_building_info,
  point_geometry,
  recent_house_address,
  status
}: Answer): string => {
  if (place?.lga_name === undefined)
    return { valid: "exists", retired: "is retired", not_found: "does not exist" }[status]
  const where = [recent_house_address?.recent ?? place.locality_name, place.lga_name, place.state_name].filter(Boolean)
  const [lon, lat] = point_geometry?.coordinates ?? []
  const more = [other_building_info?.type, lat === undefined ? undefined : `at ${lat}° N ${lon}° E`].filter(Boolean)
  return [`is ${where.join(", ")}`, ...more].join(", ")
}
