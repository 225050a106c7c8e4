import { Badge } from "../../kit/data/Badge.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { environment } from "../../state/environment.ts"
import type { Organization } from "../../state/organization.ts"
import { type Step, stepsTo } from "./steps.ts"
import type { OrganizationState } from "./useOrganizationState.ts"

export interface ChecklistProps extends OrganizationState {
  readonly organization: Organization
}

/** The steps to the first live call. Hidden when all are done. */
export const Checklist = ({ organization, ...standing }: ChecklistProps) => {
  const steps = stepsTo(organization, standing)
  if (steps === undefined || steps.every(({ isDone }) => isDone)) return null
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Section title="To the first live call" lead={`${done} of ${steps.length} steps are done.`}>
      <ol class="steps">
        {steps.map((step) => (
          <li key={step.title}>
            <StepLine step={step} isNext={step === next} />
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
      <Badge tone={isNext ? "info" : "plain"}>{isNext ? "Next" : "Open"}</Badge>
    )}
  </>
)

interface StepLineProps {
  readonly step: Step
  readonly isNext: boolean
}
