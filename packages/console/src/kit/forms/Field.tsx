/** Form fields: label, hint and error, associated for screen readers. */
import { type Signal, useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useContext, useId } from "preact/hooks"
import { messageOn } from "../../client/Problem.ts"
import { FormProblem } from "./Form.tsx"

export interface FieldProps {
  readonly label: string
  /** The purpose or the expected format. */
  readonly hint?: ComponentChildren
  /** The field's name in the request: the form's problem is shown here if it is about this field. */
  readonly name?: string
  /** Another error. */
  readonly error?: string | undefined
  /** The value: a signal, or a query parameter of the address by `queryField`. */
  readonly value: { value: string }
  readonly isOptional?: boolean
}

export interface TextFieldProps extends FieldProps {
  readonly type?: "date" | "email" | "number" | "password" | "search" | "text" | "url"
  readonly autocomplete?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly min?: number | string
  readonly max?: number | string
  readonly hasFocus?: boolean
  /** Read-only, but known to password managers. */
  readonly isReadOnly?: boolean
}

/** A single-line text field. */
export const TextField = (props: TextFieldProps) => {
  const { autocomplete = "off", hasFocus, isReadOnly = false, max, maxLength, min, minLength, type = "text" } = props
  return (
    <Field {...props} isSearch={type === "search"}>
      {(shared) => (
        <input
          {...shared}
          // Preact's types differ by element; these attributes fit both.
          type={type as "text"}
          // biome-ignore lint/a11y/noAutofocus: in dialogs and on pages that are one form, as users expect
          autoFocus={hasFocus ?? false}
          autoComplete={autocomplete}
          spellcheck={false}
          minLength={minLength}
          maxLength={maxLength}
          readOnly={isReadOnly}
          min={min}
          max={max}
        />
      )}
    </Field>
  )
}

/** A multi-line text field. */
export const TextArea = (props: FieldProps & { readonly maxLength?: number }) => (
  <Field {...props}>{(shared) => <textarea {...shared} rows={4} maxLength={props.maxLength} />}</Field>
)

export interface SelectFieldProps extends FieldProps {
  /** Value and label of each option. */
  readonly options: ReadonlyArray<readonly [string, string]>
}

/** A select field. */
export const SelectField = (props: SelectFieldProps) => (
  <Field {...props}>
    {(shared) => (
      <select {...shared}>
        {props.options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** The options of a select field whose value is in the address, where it may be an unknown one. */
export const withOwn = (options: SelectFieldProps["options"], value: string): SelectFieldProps["options"] =>
  options.some(([option]) => option === value) ? options : [...options, [value, value]]

interface Shared {
  readonly id: string
  readonly value: string
  readonly required: boolean
  readonly "aria-describedby": string | undefined
  readonly "aria-invalid": boolean
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
  readonly onInvalid: (event: Event & { readonly currentTarget: { readonly validationMessage: string } }) => void
}

interface FieldFrameProps extends FieldProps {
  /** Whether it searches: then nobody expects it to be required. */
  readonly isSearch?: boolean
  readonly children: (shared: Shared) => ComponentChildren
}

const Field = ({
  children,
  error,
  hint,
  isOptional = false,
  isSearch = false,
  label,
  name,
  value
}: FieldFrameProps) => {
  const id = useId()
  const own = useSignal("")
  const problem = useContext(FormProblem)
  const wrong = own.value || error || (name && messageOn(problem, name))
  const described = [hint && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(" ")
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && !isSearch && <span class="optional"> (optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        value: value.value,
        required: !isOptional,
        "aria-describedby": described || undefined,
        "aria-invalid": Boolean(wrong),
        onInput: ({ currentTarget }) => {
          value.value = currentTarget.value
          own.value = ""
        },
        onInvalid: (event) => {
          event.preventDefault()
          own.value = event.currentTarget.validationMessage
        }
      })}
      {wrong && (
        <p class="error" id={`${id}-error`}>
          {wrong}
        </p>
      )}
    </div>
  )
}

interface OptionProps {
  readonly type: "checkbox" | "radio"
  readonly name?: string
  readonly label: ComponentChildren
  readonly hint: ComponentChildren
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Called if one of the group is required, and none is selected. */
  readonly onInvalid?: () => void
}

const Option = ({ hint, label, onChange, onInvalid, ...input }: OptionProps) => {
  const id = useId()
  return (
    <div class="check">
      <input
        {...input}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        required={onInvalid !== undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        onInvalid={(event) => {
          event.preventDefault()
          onInvalid?.()
        }}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export interface CheckFieldProps extends Pick<FieldProps, "hint"> {
  readonly label: ComponentChildren
  /** A signal, or a property that reads and writes one. */
  readonly value: { value: boolean }
}

/** A checkbox. */
export const CheckField = ({ hint, label, value }: CheckFieldProps) => (
  <Option
    type="checkbox"
    label={label}
    hint={hint}
    checked={value.value}
    onChange={(checked) => (value.value = checked)}
  />
)

export interface ChoiceFieldProps<A extends string> {
  readonly label: string
  /** Value, label and explanation of each option. */
  readonly options: ReadonlyArray<readonly [A, string, string?]>
  /** Empty if none is selected. */
  readonly value: Signal<A | "">
}

/** Radio buttons with explanations, one of which has to be selected. */
export const ChoiceField = <A extends string>({ label, options, value }: ChoiceFieldProps<A>) => {
  const id = useId()
  const isMissing = useSignal(false)
  const isWrong = isMissing.value && value.value === ""
  return (
    <fieldset class="choice" aria-describedby={isWrong ? `${id}-error` : undefined}>
      <legend>{label}</legend>
      {options.map(([option, words, meaning]) => (
        <Option
          key={option}
          type="radio"
          name={id}
          label={words}
          hint={meaning}
          checked={value.value === option}
          onChange={() => (value.value = option)}
          onInvalid={() => (isMissing.value = true)}
        />
      ))}
      {isWrong && (
        <p class="error" id={`${id}-error`}>
          Select one.
        </p>
      )}
    </fieldset>
  )
}
