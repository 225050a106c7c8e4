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
  const approved = isBusiness ? "Verified" : `Level ${item.request.level} granted`
  const decide = async () => {
    if (decision.value === "") return
    await send(item, decision.value, oneLine(note.value))
    onDecided(decision.value === "rejected" ? "Rejected" : approved)
  }
  return (
    <Form
      onSubmit={decide}
      submit={submitWords(item, decision.value)}
      kind={decision.value === "rejected" ? "danger" : "primary"}
    >
      <ChoiceField
        label="Decision"
        value={decision}
        options={[
          isBusiness
            ? ["approved", "Verify", "The organization can create live keys."]
            : ["approved", "Approve", `Keys can have a level up to ${item.request.level}.`],
          ["rejected", "Reject", "The organization sees your reason, and can request it again."]
        ]}
      />
      <TextArea
        label="Note to the organization"
        hint={`The organization sees it, and the audit log records it. ${noteRule(item, decision.value)}`}
        name={isBusiness ? "review_note" : "note"}
        value={note}
        maxLength={2000}
        isOptional={isBusiness && decision.value === "approved"}
      />
    </Form>
  )
}

const noteRule = (item: Waiting, decision: Selected): string => {
  if (decision === "rejected") return "Give the reason for the rejection."
  if (item.kind === "level") return "Give the reason: each decision on a level needs a note."
  return decision === "" ? "A rejection needs a reason here." : ""
}

const submitWords = (item: Waiting, decision: Selected): string => {
  if (decision === "") return "Decide"
  if (decision === "rejected") return "Reject"
  return item.kind === "business" ? "Verify the business" : `Grant level ${item.request.level}`
}

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
