import { keyLimits } from "@postcode/gateway/InputLimits"
import { useSignal } from "@preact/signals"
import type { InputOf } from "../../client/Contract.ts"
import { FormDialog } from "../../kit/dialogs/FormDialog.tsx"
import { TextField } from "../../kit/forms/Field.tsx"
import { call } from "../../state/session.ts"
import { AllowedIpsField, OriginsField } from "./KeyFields.tsx"
import type { ApiKey } from "./keyLabels.tsx"
import { linesOf } from "./origins/webOrigins.ts"
import type { KeyDialogProps } from "./RotateKeyDialog.tsx"

/** Changes the name, the origins or addresses, and the limits of a key. */
export const ChangeKeyDialog = ({ apiKey, onDone }: KeyDialogProps) => {
  const name = useSignal(apiKey.name)
  const origins = useSignal(apiKey.origins.join("\n"))
  const ips = useSignal(apiKey.allowed_ips.join("\n"))
  const credits = useSignal(numberText(apiKey.daily_credit_limit))
  const requests = useSignal(numberText(apiKey.rate_limit_per_minute))
  const save = async () => {
    const body: KeyChange = {
      ...(name.value !== apiKey.name && { name: name.value }),
      ...(isOther(origins.value, apiKey.origins) && { origins: linesOf(origins.value) }),
      ...(isOther(ips.value, apiKey.allowed_ips) && { allowed_ips: linesOf(ips.value) }),
      ...(credits.value !== numberText(apiKey.daily_credit_limit) && { daily_credit_limit: limitOf(credits.value) }),
      ...(requests.value !== numberText(apiKey.rate_limit_per_minute) && {
        rate_limit_per_minute: limitOf(requests.value)
      })
    }
    if (Object.keys(body).length === 0) return "Nothing was changed"
    await call("PATCH /v1/admin/keys/:id", { params: { id: apiKey.id }, body })
    onDone()
    return "Saved"
  }
  return (
    <FormDialog title="Change the key" submit="Save changes" onSubmit={save}>
      <p class="muted">
        Changes apply from the next request. You cannot change kind, environment, scopes, level and expiry: rotate the
        key, or create another one.
      </p>
      <TextField label="Name" name="name" value={name} maxLength={keyLimits.name} hasFocus />
      {apiKey.kind === "publishable" ? <OriginsField value={origins} /> : <AllowedIpsField value={ips} />}
      <TextField
        label="Credits a day"
        hint={
          apiKey.kind === "publishable"
            ? "From 00:00 to 24:00 UTC. Empty for the default of 1,000."
            : "From 00:00 to 24:00 UTC. Empty for no limit."
        }
        type="number"
        min={1}
        max={keyLimits.daily_credit_limit}
        name="daily_credit_limit"
        value={credits}
        isOptional
      />
      <TextField
        label="Requests a minute"
        hint="Empty for the service’s default."
        type="number"
        min={1}
        max={keyLimits.rate_limit_per_minute}
        name="rate_limit_per_minute"
        value={requests}
        isOptional
      />
    </FormDialog>
  )
}

type KeyChange = InputOf<"PATCH /v1/admin/keys/:id">["body"]

const numberText = (value: number | undefined): string => (value === undefined ? "" : String(value))
const limitOf = (text: string): number | null => (text === "" ? null : Number(text))
const isOther = (text: string, before: ApiKey["origins"]): boolean => linesOf(text).join("\n") !== before.join("\n")
