import { examplePostcode } from "../../client/examplePostcode.ts"

/** What the fields begin with. */
export interface Examples {
  readonly code: string
  readonly lat: string
  readonly lon: string
}

/** A postcode and a place in Ikeja, Lagos. */
export const usualExamples: Examples = { code: "LA-11-B03-PD-01", lat: "6.5984", lon: "3.3398" }

/** With a postcode that the directory in force has. Where units are is not told without a key. */
export const foundExamples = async (signal: AbortSignal): Promise<Examples> => ({
  ...usualExamples,
  code: (await examplePostcode(signal)) ?? usualExamples.code
})
