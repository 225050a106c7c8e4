import { organizationLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import { Problem } from "../../../client/Problem.ts"
import { ChoiceField, TextArea } from "../../../kit/forms/Field.tsx"
import { Form } from "../../../kit/forms/Form.tsx"
import { call } from "../../../state/session.ts"
import { oneLine } from "./oneLine.ts"
import type { Waiting } from "./queue.ts"

type Decision = "approved" | "rejected"

/** Empty until the operator selects one: nothing is decided by default. */
type Selected = Decision | ""

export interface DecisionFormProps {
  readonly item: Waiting
  /** Called with the decision in words. */
  readonly onDecided: (words: string) => void
}

/** Decides on a review. */
export const DecisionForm = ({ item, onDecided }: DecisionFormProps) => {
  const decision = useSignal<Selected>("")
  const note = useSignal("")
  const isBusiness = item.kind === "business"
  const approved = isBusiness ? "Verified" : `Access level ${item.request.level} granted`
  const decide = async () => {
    if (decision.value === "") return
    await send(item, decision.value, oneLine(note.value))
    onDecided(decision.value === "rejected" ? "Rejected" : approved)
  }
  return (
    <Form onSubmit={decide} submit={outcomeOf(item, decision.value)} kind={buttonKinds[decision.value]}>
      <ChoiceField
        label="Decision"
        value={decision}
        options={[
          [
            "approved",
            outcomeOf(item, "approved"),
            isBusiness
              ? "The organization can create live keys."
              : `Its keys can have access levels up to ${item.request.level}.`
          ],
          [
            "rejected",
            outcomeOf(item, "rejected"),
            "Its owners see your reason, and the organization can send its request again."
          ]
        ]}
      />
      <TextArea
        label="Note to the organization"
        hint={`${readersOf(item, decision.value)}, and the audit log records it. ${noteRule(item, decision.value)}`}
        name={isBusiness ? "review_note" : "note"}
        value={note}
        maxLength={organizationLimits.note}
        isOptional={isBusiness && decision.value !== "rejected"}
      />
    </Form>
  )
}

/** A rejected access request shows its note to all who see the request. */
const readersOf = (item: Waiting, decision: Selected): string =>
  item.kind === "level" && decision === "rejected" ? "Its owners and developers see it" : "Its owners see it"

const noteRule = (item: Waiting, decision: Selected): string => {
  if (decision === "rejected") return "Give the reason for the rejection."
  if (item.kind === "level") return "Give the reason: each decision on an access request needs a note."
  return decision === "" ? "A rejection needs a reason here." : ""
}

/** What the button does, in the words of the selected option. */
const outcomeOf = (item: Waiting, decision: Selected): string => {
  if (decision === "") return "Select a decision"
  if (item.kind === "business") return decision === "approved" ? "Verify the business" : "Reject the verification"
  return decision === "approved" ? `Grant access level ${item.request.level}` : "Reject the access request"
}

const buttonKinds = { "": "plain", approved: "primary", rejected: "danger" } as const

const send = (item: Waiting, decision: Decision, note: string): Promise<unknown> =>
  item.kind === "business"
    ? decideOnBusiness(item.id, decision, note)
    : call("POST /v1/admin/access-requests/:id/decision", { params: { id: item.id }, body: { decision, note } })

/** The service overwrites a verification unconditionally, so its current state is checked first. */
const decideOnBusiness = async (id: string, decision: Decision, note: string): Promise<void> => {
  const { kyb_status } = await call("GET /v1/admin/organizations/:id", { params: { id } })
  if (kyb_status !== "pending") {
    throw new Problem({ status: 409, code: "conflict", message: "another operator has already decided" })
  }
  await call("PATCH /v1/admin/organizations/:id", {
    params: { id },
    body: { kyb_status: decision === "approved" ? "verified" : "rejected", ...(note !== "" && { review_note: note }) }
  })
}
