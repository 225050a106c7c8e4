/** Calls of the service with the API key in POSTCODE_KEY. */
import { createPostcodeClient, type PostcodeClient } from "@postcode/client"
import { CommandFailure, exitCodes, messageOf } from "../ExitCode.ts"
import { host } from "../Host.ts"

/** Whether there is a key. */
export const hasApiKey = (): boolean => apiKey() !== undefined

/** @throws CommandFailure if the key cannot be sent */
export const clientWithKey = (url: string, settings: { readonly retries?: number } = {}): PostcodeClient => {
  const key = apiKey()
  try {
    return createPostcodeClient({ baseUrl: url, ...(key !== undefined && { apiKey: key }), ...settings })
  } catch (error) {
    throw new CommandFailure(messageOf(error), exitCodes.notAllowed)
  }
}

const apiKey = (): string | undefined => host().env.POSTCODE_KEY?.trim() || undefined
