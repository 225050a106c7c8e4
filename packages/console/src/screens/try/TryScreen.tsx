import { useSignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import { curlOf } from "../../client/curl.ts"
import type { Examples } from "../../client/examples.ts"
import { useExamples } from "../../hooks/useExamples.ts"
import { Copyable } from "../../kit/data/Copyable.tsx"
import { Loading } from "../../kit/feedback/Loading.tsx"
import { SelectField, TextField } from "../../kit/forms/Field.tsx"
import { Form } from "../../kit/forms/Form.tsx"
import { PageHeader } from "../../kit/layout/PageHeader.tsx"
import { Section } from "../../kit/layout/Section.tsx"
import { queryField } from "../../router/queryField.ts"
import { organization as looked } from "../../state/organization.ts"
import { AnswerView } from "./AnswerView.tsx"
import { KeySection } from "./KeySection.tsx"
import { type Operation, operations, requestOf } from "./operations.ts"
import { type Answer, sendWithKey } from "./sendWithKey.ts"
import "./try.css"
import type { OrganizationParams } from "../../router/Screen.ts"

/** Sends real requests with a test key, which is only in memory until the screen is left. */
export const TryScreen = ({ params: { organization } }: OrganizationParams) => {
  const key = useSignal("")
  const examples = useExamples()
  const level = looked.value?.granted_level ?? 1
  const operation = operations.find(({ name }) => name === chosen.value) ?? operations[0]
  return (
    <>
      <PageHeader
        title="Try it"
        lead="Send real requests to this service, in the test environment. They cost test credits."
      />
      <KeySection organization={organization} value={key} />
      {examples === undefined ? (
        <Loading>Loading examples</Loading>
      ) : (
        <OperationSection
          key={`${operation.name} ${level}`}
          operation={operation}
          secret={key}
          examples={examples}
          level={level}
        />
      )}
    </>
  )
}

const chosen = queryField("operation", operations[0].name)

interface OperationSectionProps {
  readonly operation: Operation
  readonly secret: { readonly value: string }
  readonly examples: Examples
  /** The highest level that the organization is granted. */
  readonly level: number
}

const OperationSection = ({ examples, level, operation, secret }: OperationSectionProps) => {
  const values = useMemo(() => operation.start(examples, level), [])
  const answer = useSignal<Answer | undefined>(undefined)
  const leaving = useMemo(() => new AbortController(), [])
  useEffect(() => () => leaving.abort(), [leaving])
  const request = requestOf(operation, values)
  const sendRequest = async () => {
    answer.value = undefined
    answer.value = await sendWithKey(secret.value, request, leaving.signal)
  }
  return (
    <>
      <Section title="Request" lead={operation.lead}>
        <Form onSubmit={sendRequest} submit="Send">
          <SelectField label="Endpoint" value={chosen} options={operations.map(({ label, name }) => [name, label])} />
          <div class="grid parameters">
            {operation.parameters.map(({ hint, isOptional = false, label, name, options }) => {
              const value = values[name]
              if (value === undefined) return null
              const field = { label, value, isOptional, ...(hint !== undefined && { hint }) }
              return options === undefined ? (
                <TextField key={name} {...field} />
              ) : (
                <SelectField key={name} {...field} options={options} />
              )
            })}
          </div>
          <Copyable value={curlOf(request)} label="the command" isBlock />
          {secret.value === "" && <p class="muted">Without a key, the request is anonymous.</p>}
        </Form>
      </Section>
      {answer.value && <AnswerView answer={answer.value} />}
    </>
  )
}
