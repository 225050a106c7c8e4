import { maxSearchText } from "@postcode/gateway/InputLimits"
import { useFieldText } from "../../hooks/useFieldText.ts"
import { queryField } from "../../router/queryField.ts"
import { Button } from "./Button.tsx"

export interface SearchBoxProps {
  /** The query parameter in the address: `?name=delta`. */
  readonly name: string
  /** The label. */
  readonly label: string
  readonly placeholder: string
}

/** Filters a list by a text on submit; the address has the filter. */
export const SearchBox = ({ label, name, placeholder }: SearchBoxProps) => {
  const field = queryField(name)
  const typed = useFieldText(field)
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault()
        field.value = typed.value.trim()
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxSearchText}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
        }}
      />
      <Button type="submit" icon="search" label="Search" />
    </form>
  )
}
