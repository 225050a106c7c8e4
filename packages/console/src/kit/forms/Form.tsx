import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import type { Action } from "../../hooks/useAction.ts"
import { ProblemNotice } from "../feedback/ProblemNotice.tsx"
import { Button, type ButtonProps } from "./Button.tsx"

export interface FormProps {
  /** What sending it does. What was typed stays, whatever comes of it. */
  readonly action: Action
  /** The words of its button. */
  readonly submit: string
  readonly kind?: ButtonProps["kind"]
  /** Adds a button beside it. */
  readonly onCancel?: () => unknown
  readonly children: ComponentChildren
}

/**
 * Fields and the button that sends them. What is wrong is said at the field, and the first one of these gets the focus.
 */
export const Form = ({ action, children, kind = "primary", onCancel, submit }: FormProps) => {
  const form = useRef<HTMLFormElement>(null)
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
      {children}
      <ProblemNotice problem={action.problem} onRetry={send} />
      <div class="actions">
        <Button type="submit" kind={kind} isBusy={action.isBusy}>
          {submit}
        </Button>
        {/* What is on its way cannot be called back. */}
        {onCancel && (
          <Button isDisabled={action.isBusy} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}
