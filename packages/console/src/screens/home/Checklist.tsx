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
  /** Whether a request was sent from here. Its answer stays, and usage may count it a minute later. */
  readonly isSent: boolean
  /** Called after the service answered. */
  readonly onSent: () => void
}

/** The steps of the setup. Hidden when all are done. */
export const Checklist = ({ isSent, onSent, organization, steps: known }: ChecklistProps) => {
  const steps = known.map((step) => (step.hasRequest && isSent ? { ...step, isDone: true } : step))
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Section title="Setup" lead={`${done} of ${steps.length} steps done.`}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title}>
            <StepLine step={step} isNext={step === next} />
            {step.hasRequest && (isSent || !step.isDone) && may("createKey") && (
              <div class="stack send">
                <SendRequest organization={organization} onDone={onSent} />
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
