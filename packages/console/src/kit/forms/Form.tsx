import type { Signal } from "@preact/signals"
import { type ComponentChildren, createContext } from "preact"
import { useRef } from "preact/hooks"
import type { Problem } from "../../client/Problem.ts"
import { useAction } from "../../hooks/useAction.ts"
import { announce } from "../feedback/announce.ts"
import { ProblemNotice } from "../feedback/ProblemNotice.tsx"
import { Button, type ButtonProps } from "./Button.tsx"

export interface FormProps {
  /** Sends the form; a returned text is announced. The input is kept in any case. */
  readonly onSubmit: () => Promise<unknown>
  /** Where to report that it is being sent. */
  readonly busy?: Signal<boolean>
  /** The label of the submit button. */
  readonly submit: string
  readonly kind?: ButtonProps["kind"]
  /** Adds a cancel button. */
  readonly onCancel?: () => unknown
  readonly children: ComponentChildren
}

/** The problem of the form around a field. */
export const FormProblem = createContext<Problem | undefined>(undefined)

/** Fields and a submit button. Errors are shown at their fields, and the first invalid field gets the focus. */
export const Form = ({ busy, children, kind = "primary", onCancel, onSubmit, submit }: FormProps) => {
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(async () => {
    const said = await onSubmit()
    if (typeof said === "string") announce(said)
  }, busy)
  const send = () => {
    if (form.current?.checkValidity()) return action.run()
    form.current?.querySelector<HTMLElement>("input:invalid, select:invalid, textarea:invalid")?.focus()
    return undefined
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <FormProblem.Provider value={action.problem}>{children}</FormProblem.Provider>
      <ProblemNotice problem={action.problem} onRetry={send} />
      <div class="actions">
        <Button type="submit" kind={kind} isBusy={action.isBusy}>
          {submit}
        </Button>
        {/* Disabled while busy: a sent request cannot be cancelled. */}
        {onCancel && (
          <Button isDisabled={action.isBusy} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
