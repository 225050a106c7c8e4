/** `postcode kyb`. */
import { Effect } from "effect"
import type { CommandFailure } from "../../ExitCode.ts"
import { given, type ManagementOptions, manage } from "../../management/ManagementApi.ts"
import { printOrganization } from "./manageOrganizations.ts"

interface Options extends ManagementOptions {
  readonly organization: string
  readonly note: string | undefined
}

/** `postcode kyb submit` */
export const submitKyb = (
  input: Options & { readonly business_name: string; readonly registration_number: string }
): Effect.Effect<void, CommandFailure> => {
  const { business_name, note, organization, registration_number } = input
  const payload = { business_name, registration_number, ...given({ note }) }
  return Effect.flatMap(
    manage(input, (api) => api.submitKyb({ params: { id: organization }, payload })),
    ({ data }) => printOrganization(input, data)
  )
}

/** `postcode kyb verify` and `reject` */
export const decideKyb = (kyb_status: "rejected" | "verified", input: Options): Effect.Effect<void, CommandFailure> => {
  const payload = { kyb_status, ...given({ review_note: input.note }) }
  return Effect.flatMap(
    manage(input, (api) => api.updateOrganization({ params: { id: input.organization }, payload })),
    ({ data }) => printOrganization(input, data)
  )
}
