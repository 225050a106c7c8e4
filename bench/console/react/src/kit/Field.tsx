import { useId } from "react"

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (next: string) => void
}

/** A single-line text field. */
export const TextField = ({ label, onChange, type, value }: FieldProps & { readonly type: "date" | "search" }) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} type={type} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    </div>
  )
}

interface SelectFieldProps extends FieldProps {
  /** Value and label of each option. */
  readonly options: ReadonlyArray<readonly [string, string]>
}

/** A select field. */
export const SelectField = ({ label, onChange, options, value }: SelectFieldProps) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
