import { useSignal } from "@preact/signals"
import { Badge } from "../../kit/data/Badge.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { environment } from "../../state/environment.ts"
import type { Organization } from "../../state/organization.ts"
import { may } from "../../state/permissions.ts"
import { SendRequest } from "./SendRequest.tsx"
import type { Step } from "./steps.ts"

export interface ChecklistProps {
  readonly organization: Organization
  readonly steps: ReadonlyArray<Step>
}

/** The steps of the setup. Hidden when all are done. */
export const Checklist = ({ organization, steps: known }: ChecklistProps) => {
  // Usage is not loaded again after the request: the answer would disappear with the list.
  const isSent = useSignal(false)
  const steps = known.map((step) => (step.hasRequest && isSent.value ? { ...step, isDone: true } : step))
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Section title="Setup" lead={`${done} of ${steps.length} steps done.`}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title}>
            <StepLine step={step} isNext={step === next} />
            {step.hasRequest && (isSent.value || !step.isDone) && may("createKey") && (
              <div class="stack send">
                <SendRequest organization={organization} onDone={() => (isSent.value = true)} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}

const StepLine = ({ isNext, step: { isDone, lookedAt, meaning, place, title } }: StepLineProps) => (
  <>
    <div>
      {isDone || place === undefined ? (
        title
      ) : (
        <a
          href={`#${place}`}
          onClick={() => {
            if (lookedAt !== undefined) environment.value = lookedAt
          }}
        >
          {title}
        </a>
      )}
      {!isDone && <span class="secondary">{meaning}</span>}
    </div>
    {isDone ? (
      <Badge tone="good">Done</Badge>
    ) : (
      <Badge tone={isNext ? "info" : "plain"}>{isNext ? "Next" : "To do"}</Badge>
    )}
  </>
)

interface StepLineProps {
  readonly step: Step
  readonly isNext: boolean
}
