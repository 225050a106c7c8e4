import { accountLimits } from "@postcode/gateway/InputLimits"
import type { Signal } from "@preact/signals"
import { TextField } from "../../kit/forms/Field.tsx"

export interface NewPasswordFieldProps {
  readonly label: string
  readonly value: Signal<string>
}

/** A new password: its length makes it hard to guess. */
export const NewPasswordField = ({ label, value }: NewPasswordFieldProps) => (
  <TextField
    label={label}
    hint={`At least ${accountLimits.minPassword} characters. Several words are easy to remember and hard to guess.`}
    type="password"
    autocomplete="new-password"
    minLength={accountLimits.minPassword}
    maxLength={accountLimits.password}
    name="password"
    value={value}
  />
)
